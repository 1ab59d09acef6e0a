import { learnedVectorOfTerms, vectorsOf } from './learned-vector.ts';
import { parseQuestion, type QuestionWord } from './parse-question.ts';
import type { SearchModel } from './search-model.ts';

/** So many words of related meaning are looked for where the question's own find too little. */
const mostRelated = 20;
/** The numbers of a question's vector become whole ones up to this. So many more words are then compared by the exact ones. */
const [mostNumber, mostCompared] = [32_767, 40];

/** The words whose passages are nearest to the question by the learned vectors, best first. */
export function relatedWords(model: SearchModel, words: readonly QuestionWord[]): QuestionWord[] {
  const asked = learnedVectorOfTerms(model, parseQuestion(model, words).terms);
  if (!asked) return [];
  const { shares, vectors } = vectorsOf(model);
  const most = asked.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const near = vectors.multiply(Int16Array.from(asked, (value) => Math.round((value / most) * mostNumber)));
  const best: { term: number; gain: number }[] = [];
  let least = 0;
  for (let term = 0; term < shares.length; term++) {
    const gain = (near[term] as number) * (shares[term] as number);
    if (gain <= least) continue;
    let place = best.length;
    while (place > 0 && (best[place - 1]?.gain ?? 0) < gain) place--;
    best.splice(place, 0, { term, gain });
    if (best.length > mostCompared) best.pop();
    if (best.length === mostCompared) least = best.at(-1)?.gain ?? 0;
  }
  return best
    .map(({ term }) => ({
      term,
      gain: multiply(asked, model.vectors, term * model.dimension) * (shares[term] as number),
    }))
    .filter(({ gain }) => gain > 0)
    .sort((x, y) => y.gain - x.gain || x.term - y.term)
    .slice(0, mostRelated)
    .flatMap(({ term }) => model.words[term] || [])
    .map((word) => ({ word, stem: word, count: 1 }));
}

function multiply(asked: Float32Array, vectors: Int8Array, from: number): number {
  let sum = 0;
  for (let i = 0; i < asked.length; i++) sum += (asked[i] as number) * (vectors[from + i] as number);
  return sum;
}
