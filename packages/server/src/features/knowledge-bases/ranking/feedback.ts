import type { WeightedTerm } from './parse-question.ts';
import type { PassageTerms } from './passage-terms.ts';
import { countTerms, lengthOf } from './score-passages.ts';
import { idfOf, type SearchModel } from './search-model.ts';

/** RM3: so many of the best passages, so many of their terms, and so much weight that stays with the question. */
const [feedbackPassages, feedbackTerms, questionShare] = [5, 10, 0.9];

/** Terms of the best passages, by their share of the words there. The weights of all terms add up to 1. */
export function addFeedback(
  model: SearchModel,
  terms: readonly WeightedTerm[],
  ranked: readonly { passage: PassageTerms; score: number }[],
): { question: WeightedTerm[]; feedback: WeightedTerm[] } {
  const best = ranked
    .slice(0, feedbackPassages)
    .map(({ passage, score }) => ({ text: passage.text, length: lengthOf(passage.text), score }))
    .filter(({ score, length }) => score > 0 && length > 0);
  const total = best.reduce((sum, { score }) => sum + score, 0);
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0 || all === 0) return { question: [...terms], feedback: [] };
  const shares = new Map<number, number>();
  for (const { text, length, score } of best)
    for (const [term, count] of countTerms(text))
      shares.set(term, (shares.get(term) ?? 0) + (count / length) * (score / total));
  const chosen = [...shares]
    .filter(([term]) => term < model.frequencies.length)
    .sort(([a, x], [c, y]) => y - x || a - c)
    .slice(0, feedbackTerms);
  const sum = chosen.reduce((total_, [, share]) => total_ + share, 0) || 1;
  return {
    question: terms.map((term) => ({ ...term, weight: (questionShare * term.weight) / all })),
    feedback: chosen.map(([term, share]) => ({
      ...{ term, word: model.words[term] ?? '', idf: idfOf(model, term) },
      weight: ((1 - questionShare) * share) / sum,
    })),
  };
}
