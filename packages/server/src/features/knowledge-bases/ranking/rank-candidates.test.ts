import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cosine, learnedVector, learnedVectorOfText } from './learned-vector.ts';
import { rankCandidates, strongestWords } from './rank-candidates.ts';
import type { SearchModel } from './search-model.ts';

/** Ten words, each in half as many of 1,000 sampled passages as the one before. */
const words = Array.from({ length: 10 }, (_, at) => `word${at}`);
const modelOf = (rows: number): SearchModel => ({
  ...{ rows, sampled: 1000, textLength: 4, headingLength: 2, dimension: 3 },
  termOf: new Map(words.map((word, term) => [word, term])),
  ...{ words, frequencies: Uint32Array.from(words, (_, at) => 800 >> at) },
  vectors: Int8Array.from([127, 0, 0, 0, 127, 0, 0, 0, 127, 90, 90, 0, -127, 0, 0]),
  scales: Float32Array.from([1, 1, 1, 1, 1]),
});
const asked = words.map((word) => ({ word, stem: word, count: 1 }));
const searched = (rows: number) => strongestWords(modelOf(rows), asked).map(({ word }) => word);

test('looks for all words of a question in a small index', () => {
  assert.deepEqual(searched(1000).toSorted(), words);
});

test('leaves the most common words of a long question to scoring in a large index', () => {
  assert.deepEqual(searched(200_000).toSorted(), words.slice(3));
});

test('looks for four words even when all are common', () => {
  const common = words.slice(0, 4).map((word) => ({ word, stem: word, count: 1 }));
  assert.equal(strongestWords(modelOf(1_000_000), common).length, 4);
});

/** Passages that have the word of the question from 1 to 150 times, and one that does not have it. */
const many = Array.from({ length: 150 }, (_, at) => ({
  ...{ id: `${at + 1}`, heading: '', restricted: at % 2 === 0 },
  text: `${'word1 '.repeat(at + 1)}word0`,
}));
const without = { id: 'without', text: 'word2 word3', heading: '', restricted: false };
const rank = (
  more: Parameters<typeof rankCandidates>[4],
  retrieval_method: 'hybrid_bm25' | 'semantic' = 'hybrid_bm25',
) =>
  rankCandidates(
    modelOf(1000),
    asked.slice(1, 2),
    [...many, without],
    {
      ...{ heading_weight: 0, feedback: 'words_only', proximity_weight: 0, learned_vectors: true, retrieval_method },
    },
    more,
  ).ranked;
const withVectors = (ranked: ReturnType<typeof rank>) => ranked.filter(({ meaning }) => meaning !== null);

test('gives learned vectors to the best hundred candidates by words and to those without words', () => {
  const ranked = rank({ limit: 10, vectors: 'learned' });
  assert.equal(ranked.length, 151);
  const compared = withVectors(ranked);
  assert.equal(compared.length, 101);
  assert.ok(compared.some(({ id }) => id === 'without'));
  const least = Math.min(...compared.filter(({ words }) => words > 0).map(({ words }) => words));
  assert.ok(ranked.every(({ meaning, words }) => meaning !== null || words <= least));
});

test('gives learned vectors to all candidates that the caller uses, and to all of a search by meaning alone', () => {
  assert.equal(withVectors(rank({ limit: 140, vectors: 'learned' })).length, 141);
  assert.equal(withVectors(rank({ limit: 10, vectors: 'learned' }, 'semantic')).length, 151);
  assert.equal(withVectors(rank({ limit: 10, vectors: 'model' })).length, 0);
});

test('makes the vector of a text of those of its terms by their weights', () => {
  const model = modelOf(1000);
  const vector = (counts: [number, number][]) => learnedVector(model, new Map(counts)) ?? new Float32Array(3);
  assert.deepEqual([...vector([[1, 2]])], [0, 1, 0]);
  assert.ok(cosine(vector([[2, 1]]), vector([[2, 5]])) > 0.9999);
  const [first = 0, second = 0] = vector([
    [0, 1],
    [1, 1],
  ]);
  assert.ok(second > first && first > 0, 'the rarer term weighs more');
  assert.ok(Math.abs(Math.hypot(first, second) - 1) < 1e-6);
  assert.equal(learnedVector(model, new Map([[7, 1]])), undefined, 'a term without a vector');
  for (let round = 0; round < 2; round++)
    assert.deepEqual(
      learnedVectorOfText(model, Int32Array.from([1, -1, 0, 1, -2, 7, 1])),
      vector([
        [1, 3],
        [0, 1],
      ]),
    );
});
