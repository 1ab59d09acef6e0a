import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { Database } from '../../../db/database.ts';
import {
  byScore,
  type IndexFilter,
  type IndexHit,
  type IndexName,
  type RetrievalIndex,
} from '../../../drivers/search-index/driver.ts';
import { ignoreMissing, rightsIndexName } from '../index/rights-index.ts';
import { keptWords, type QuestionWord } from '../ranking/parse-question.ts';
import { makeReadQuestion } from '../ranking/question-words.ts';
import { type RankedCandidate, rankCandidates, type ShownTerm, strongestWords } from '../ranking/rank-candidates.ts';
import { makeReadModel } from '../ranking/read-model.ts';
import { relatedWords } from '../ranking/related-words.ts';
import { makeFindCandidates } from './find-candidates.ts';

const learnedNote =
  'No embedding model is used: meaning was compared by vectors that are learned from this knowledge base';
/** So many candidates of the index for everybody are scored, and more for a long question, whose words the index counts once. */
/** A long message may have a word a hundred times. */
const mostCounted = 20;
const [candidates, candidatesOfLong, longQuestion] = [100, 250, 12];

/** The words as an index counts them before a model is learned: forms of one word count together. */
function repeatWords(words: readonly QuestionWord[]): string {
  const counted = new Map<string, { word: string; count: number }>();
  for (const { word, stem, count } of words) {
    const known = counted.get(stem ?? word);
    if (known) known.count += count;
    else counted.set(stem ?? word, { word, count });
  }
  return [...counted.values()]
    .flatMap(({ word, count }) => Array<string>(Math.min(count, mostCounted)).fill(word))
    .join(' ');
}

export interface FoundPassages {
  /** By words, best first; undefined: words were not searched. */
  words: IndexHit[] | undefined;
  /** By learned vectors, best first; undefined: they are not used. */
  vectors: IndexHit[] | undefined;
  /** How each candidate was scored; empty without a search model. */
  scored: ReadonlyMap<string, RankedCandidate>;
  terms: ShownTerm[];
  note?: string;
}

/** Finds passages by the words of a question and by learned vectors, in all indexes that the caller may search. */
export function makeFindPassages({ db, index }: { db: Database; index: RetrievalIndex }) {
  const readModel = makeReadModel(index);
  const readQuestion = makeReadQuestion(db);
  const findCandidates = makeFindCandidates(index);

  return async (
    at: IndexName,
    query: string,
    settings: KbSettings,
    where: {
      language: string | null;
      filter: IndexFilter;
      visible: readonly number[];
      limit: number;
      /** Whether an embedding model has made a vector of the question. */
      embedded: boolean;
    },
  ): Promise<FoundPassages> => {
    const { filter, visible, limit, embedded } = where;
    /** Searches the index for everybody and those of the rights that the caller has. */
    const searchAll = async (search: (own: IndexName, rights_id: number | null) => Promise<IndexHit[]>) => {
      const searchOne = async (rights_id: number | null) =>
        (await ignoreMissing(rights_id, search(rightsIndexName(at, rights_id), rights_id))) ?? [];
      return (await Promise.all([null, ...visible].map(searchOne))).flat();
    };

    const [model, read] = await Promise.all([readModel(at), readQuestion(query, where.language)]);
    const words = keptWords(read, settings);
    if (!model) {
      const text = repeatWords(words);
      const found = await searchAll((own, rights_id) =>
        index.searchText(own, text, limit, filter, rights_id === null ? undefined : at),
      );
      const hits = found.sort(byScore).slice(0, limit);
      return { words: hits, vectors: undefined, scored: new Map(), terms: [] };
    }
    const useLearned =
      settings.retrieval_method !== 'full_text' && !embedded && settings.learned_vectors && model.dimension > 0;
    const most = Math.max(limit, words.length > longQuestion ? candidatesOfLong : candidates);
    const find = (asked: readonly QuestionWord[]) => findCandidates(at, model, asked, { filter, visible, limit, most });
    const found = await find(strongestWords(model, words));
    // Words of related meaning find passages where those of the question find too few.
    const isMeaning = settings.retrieval_method === 'semantic';
    if (useLearned && (isMeaning || found.length < limit)) found.push(...(await find(relatedWords(model, words))));
    const unique = [...new Map(found.map((candidate) => [candidate.id, candidate])).values()];
    const vectors = useLearned ? 'learned' : embedded ? 'model' : undefined;
    const { ranked, terms } = rankCandidates(model, words, unique, settings, { limit, vectors });
    const list = (score: (candidate: RankedCandidate) => number) =>
      ranked.flatMap((own) => (score(own) > 0 ? [{ id: own.id, score: score(own) }] : [])).sort(byScore);
    return {
      words: isMeaning && (useLearned || embedded) ? undefined : list((own) => own.words),
      vectors: useLearned ? list((own) => own.meaning ?? 0) : undefined,
      scored: new Map(ranked.map((own) => [own.id, own])),
      terms,
      ...(useLearned && { note: learnedNote }),
    };
  };
}
