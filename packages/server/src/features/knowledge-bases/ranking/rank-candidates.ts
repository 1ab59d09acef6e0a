import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import { addFeedback } from './feedback.ts';
import { cosine, learnedVectorOfTerms, learnedVectorOfText } from './learned-vector.ts';
import { parseQuestion, type QuestionWord, type WeightedTerm } from './parse-question.ts';
import { type CandidatePassage, type PassageTerms, readPassage } from './passage-terms.ts';
import { makeProximity, makeScorer } from './score-passages.ts';
import { idfOf, type SearchModel, stemKey } from './search-model.ts';

/** How a passage was scored by words. */
interface WordScore {
  text: number;
  heading: number;
}

export interface ShownTerm {
  term: string;
  weight: number;
  from: 'question' | 'feedback';
}

export interface RankedCandidate {
  id: string;
  /** By words; 0 when no word of the question is in it. */
  words: number;
  parts: WordScore;
  passage: PassageTerms;
  /** How near the words of the question stand in a passage. */
  scoreProximity(passage: PassageTerms): number;
  /** The cosine of the learned vectors, at least 0; null: one of them has none, or they are not used. */
  meaning: number | null;
}

/** Explanations and searches that give it a weight ask for it; others do not pay for it. */
export const proximityOf = (own: RankedCandidate | undefined): number => own?.scoreProximity(own.passage) ?? 0;

export const explainWords = (own: RankedCandidate | undefined) =>
  own ? { ...own.parts, proximity: proximityOf(own) } : null;

export type RankingSettings = Pick<
  KbSettings,
  'heading_weight' | 'feedback' | 'proximity_weight' | 'retrieval_method' | 'learned_vectors'
>;

/** The best so many by words get learned vectors, and those without words: others hardly come so far up by meaning. */
const mostWithVectors = 100;

const shown = (terms: readonly WeightedTerm[], from: ShownTerm['from']): ShownTerm[] =>
  terms.map(({ word, weight }) => ({ term: word, weight, from }));

/** Scores the candidates of all indexes by the same model, so that it does not matter when a passage was added. */
export function rankCandidates(
  model: SearchModel,
  words: readonly QuestionWord[],
  /** Restricted passages are scored, but bring no words into the question. */
  candidates: readonly (CandidatePassage & { restricted: boolean })[],
  settings: RankingSettings,
  /** `limit`: so many passages the caller uses. `vectors`: whose the search compares, if any. */
  { limit, vectors }: { limit: number; vectors: 'learned' | 'model' | undefined },
): { ranked: RankedCandidate[]; terms: ShownTerm[] } {
  const question = parseQuestion(model, words);
  const sumOf = ({ text, heading }: { text: number; heading: number }) => text + settings.heading_weight * heading;
  const scoreFirst = makeScorer(model, question.terms);
  const first = candidates
    .map((candidate) => {
      const passage = readPassage(model, candidate, question);
      const parts = scoreFirst(passage);
      return { candidate, passage, parts, score: sumOf(parts) };
    })
    .sort((x, y) => y.score - x.score || (x.candidate.id < y.candidate.id ? -1 : 1));
  const addsFeedback = settings.feedback === 'always' || (settings.feedback === 'words_only' && !vectors);
  const order = addsFeedback ? first.filter(({ candidate }) => !candidate.restricted) : [];
  const expanded = addsFeedback ? addFeedback(model, question.terms, order) : undefined;
  const scoreAll = expanded && makeScorer(model, [...expanded.question, ...expanded.feedback]);
  const scoreProximity = makeProximity(question.terms);
  const asked = vectors === 'learned' ? learnedVectorOfTerms(model, question.terms) : undefined;
  const withVectors = settings.retrieval_method === 'semantic' ? first.length : Math.max(limit, mostWithVectors);
  const ranked = first.map(({ passage, parts }, rank): RankedCandidate => {
    const { text, heading } = scoreAll ? scoreAll(passage) : parts;
    const { known } = passage;
    const hasVector = asked !== undefined && (rank < withVectors || parts.text === 0);
    if (hasVector) known.vector ??= learnedVectorOfText(model, known.text);
    return {
      ...{ id: passage.id, passage, scoreProximity, parts: { text, heading } },
      words: parts.text > 0 ? sumOf({ text, heading }) : 0,
      meaning: hasVector && known.vector ? Math.max(0, cosine(asked, known.vector)) : null,
    };
  });
  return {
    ranked,
    terms: [...shown(expanded?.question ?? question.terms, 'question'), ...shown(expanded?.feedback ?? [], 'feedback')],
  };
}

/** So many words candidates are looked for by: the engine's time grows with them, and it counts each of them once. */
const mostSearched = 24;
/** It also grows with the passages that have them, so words of so many passages in all, but at least so many words. */
const [mostOccurrences, fewestSearched] = [60_000, 4];

/** The words of a question that say the most. All of them count when the candidates are scored. */
export function strongestWords(model: SearchModel, words: readonly QuestionWord[]): readonly QuestionWord[] {
  if (words.length <= fewestSearched) return words;
  const termOf = ({ word, stem }: QuestionWord) =>
    model.termOf.get(word) ?? model.termOf.get(stemKey(stem ?? word)) ?? model.frequencies.length;
  const passagesPerSampled = model.rows / Math.max(1, model.sampled);
  let occurrences = 0;
  return words
    .map((word, place) => ({ word, place, term: termOf(word), weight: word.count * idfOf(model, termOf(word)) }))
    .sort((x, y) => y.weight - x.weight || x.place - y.place)
    .slice(0, mostSearched)
    .filter(({ term }, rank) => {
      const own = (model.frequencies[term] ?? 0) * passagesPerSampled;
      if (rank >= fewestSearched && occurrences + own > mostOccurrences) return false;
      occurrences += own;
      return true;
    })
    .map(({ word }) => word);
}
