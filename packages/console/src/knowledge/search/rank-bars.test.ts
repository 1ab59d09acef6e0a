import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsOf, type Hit } from './rank-bars.ts';

const hit = (explain: object) =>
  ({ explain: { bm25: null, vector: null, rerank: null, ...explain } }) as unknown as Hit;

test('gives each hit its places when words, meaning and reranker disagree', () => {
  const [first, second] = barsOf([
    hit({ bm25: { rank: 2, score: 4 }, scaled: 0.9, rerank: 0.2 }),
    hit({ bm25: { rank: 1, score: 8 }, vector: { rank: 1, score: 0.8 }, scaled: 0.7, rerank: 0.6 }),
  ]);
  assert.deepEqual(first?.words, { score: 4, share: 0.5, place: 2 });
  assert.equal(first?.meaning, undefined, 'not found by meaning');
  assert.deepEqual([first?.joined?.place, first?.reranked?.place], [1, 2]);
  assert.deepEqual([second?.joined?.place, second?.reranked?.place], [2, 1]);
  assert.equal(second?.words?.share, 1);
});

test('leaves the reranked bar out when nothing was reranked', () => {
  assert.equal(barsOf([hit({ scaled: 1 })])[0]?.reranked, undefined);
});
