import { learnedVectorOfTerms } from './learned-vector.ts';
import { parseQuestion, type QuestionWord } from './parse-question.ts';
import { idfOf, type SearchModel } from './search-model.ts';

/** So many words of related meaning are looked for where the question's own find too little. */
const mostRelated = 20;
/**
 * The numbers of a question's vector become whole ones up to this: thirty thousand terms are compared twice as fast. Its
 * length is 1 and that of a term at most 127 times 16, so that no sum leaves 32 bits.
 */
const wholeUnit = 1_000_000;

/** The words whose passages are nearest to the question by the learned vectors, best first. */
export function relatedWords(model: SearchModel, words: readonly QuestionWord[]): QuestionWord[] {
  const asked = learnedVectorOfTerms(model, parseQuestion(model, words).terms);
  if (!asked) return [];
  const whole = Int32Array.from(asked, (value) => Math.round(value * wholeUnit));
  const best: { term: number; gain: number }[] = [];
  let least = 0;
  for (let term = 0; term < model.scales.length; term++) {
    const near = multiply(whole, model.vectors, term * model.dimension);
    if (near <= 0) continue;
    const gain = near * (model.scales[term] as number) * idfOf(model, term);
    if (gain <= least) continue;
    let place = best.length;
    while (place > 0 && (best[place - 1]?.gain ?? 0) < gain) place--;
    best.splice(place, 0, { term, gain });
    if (best.length > mostRelated) best.pop();
    if (best.length === mostRelated) least = best.at(-1)?.gain ?? 0;
  }
  return best.flatMap(({ term }) => model.words[term] || []).map((word) => ({ word, stem: word, count: 1 }));
}

/** In two sums, because each addition waits for the one before. */
function multiply(whole: Int32Array, vectors: Int8Array, from: number): number {
  let even = 0;
  let odd = 0;
  let i = 0;
  for (; i + 1 < whole.length; i += 2) {
    even = (even + Math.imul(whole[i] as number, vectors[from + i] as number)) | 0;
    odd = (odd + Math.imul(whole[i + 1] as number, vectors[from + i + 1] as number)) | 0;
  }
  if (i < whole.length) even = (even + Math.imul(whole[i] as number, vectors[from + i] as number)) | 0;
  return even + odd;
}
