import assert from 'node:assert/strict';
import { test } from 'node:test';
import { learnedVectorOfTerms } from './learned-vector.ts';
import { parseQuestion } from './parse-question.ts';
import { relatedWords } from './related-words.ts';
import { idfOf, type SearchModel } from './search-model.ts';

const [terms, dimension] = [3000, 33];
let state = 7;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const words = Array.from({ length: terms }, (_, term) => `word${term}`);
const model: SearchModel = {
  ...{ rows: 10_000, sampled: 10_000, textLength: 50, headingLength: 2, dimension, words },
  termOf: new Map(words.map((word, term) => [word, term])),
  frequencies: Uint32Array.from(words, () => 2 + Math.floor(random() * 4000)),
  vectors: Int8Array.from({ length: terms * dimension }, () => Math.round(random() * 254) - 127),
  scales: Float32Array.from(words, () => random()),
};
const ask = (...asked: string[]) => asked.map((word) => ({ word, stem: word, count: 1 }));

/** The same by plain sums of all terms. */
function compareAll(asked: ReturnType<typeof ask>): string[] {
  const vector = learnedVectorOfTerms(model, parseQuestion(model, asked).terms) ?? new Float32Array(dimension);
  const gains = words.map((word, term) => {
    const own = model.vectors.subarray(term * dimension, (term + 1) * dimension);
    const sum = own.reduce((total, value, i) => total + value * (vector[i] ?? 0), 0);
    return { word, gain: sum * (model.scales[term] ?? 0) * idfOf(model, term) };
  });
  const best = gains.filter(({ gain }) => gain > 0).toSorted((x, y) => y.gain - x.gain);
  return best.slice(0, 20).map(({ word }) => word);
}

test('finds the twenty words nearest to a question, best first', () => {
  for (let at = 0; at < 50; at++) {
    const asked = ask(`word${at}`, `word${at * 7}`, `word${at * 31}`);
    assert.deepEqual(
      relatedWords(model, asked).map(({ word }) => word),
      compareAll(asked),
    );
  }
});

test('finds no related words for a question without a vector', () => {
  assert.deepEqual(relatedWords(model, ask('unheard')), []);
});
