import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuestion } from './parse-question.ts';
import { makePassageReader } from './passage-terms.ts';
import { makeProximity, makeScorer } from './score-passages.ts';
import type { SearchModel } from './search-model.ts';

const words = ['apple', 'pear', 'plum'];
const model: SearchModel = {
  ...{ rows: 10, sampled: 10, textLength: 4, headingLength: 2, dimension: 0 },
  termOf: new Map([...words.map((word, term) => [word, term] as const), ['the', -1]]),
  ...{ words, frequencies: Uint32Array.from([5, 2, 1]), vectors: new Int8Array(), scales: new Float32Array() },
};
const weighted = (term: number, weight: number) => ({ term, word: words[term] ?? '', weight, idf: 1 });
const asked = (text: string) => parseQuestion(model, [{ word: text, stem: text, count: 1 }]);
const passageOf = (text: string, question = asked('apple')) =>
  makePassageReader().read(model, { id: '1', text, heading: '' }, question);

test('a term that feedback brings once more counts with both weights', () => {
  const passage = passageOf('the apple, the pear');
  const once = makeScorer(model, [weighted(0, 0.9)])(passage).text;
  const twice = makeScorer(model, [weighted(0, 0.9), weighted(1, 0.05), weighted(0, 0.05)])(passage).text;
  const other = makeScorer(model, [weighted(1, 0.05)])(passage).text;
  assert.ok(once > 0 && other > 0);
  assert.ok(Math.abs(twice - (once * 0.95) / 0.9 - other) < 1e-9);
});

test('a word that only the question has is found in passages that are known already', () => {
  const reader = makePassageReader();
  const passage = { id: '1', text: 'An apple and a zyzzyva', heading: 'Zyzzyva' };
  assert.deepEqual([...reader.read(model, passage, asked('apple')).text], [-2, 0, -2, -2, -2]);
  const { terms } = asked('zyzzyva');
  const [own] = terms;
  const found = reader.read(model, passage, asked('zyzzyva'));
  assert.deepEqual([[...found.text], [...found.heading]], [[-2, 0, -2, -2, own?.term], [own?.term]]);
});

test('a passage that was edited is read anew', () => {
  const reader = makePassageReader();
  const read = (text: string) => [...reader.read(model, { id: '1', text, heading: '' }, asked('apple')).text];
  assert.deepEqual(read('apple pear'), [0, 1]);
  assert.deepEqual(read('apple plum'), [0, 2]);
});

test('neighbours of the question count more the nearer they stand', () => {
  const near = makeProximity([weighted(0, 1), weighted(1, 1)]);
  assert.equal(near(passageOf('apple pear')), 1);
  assert.equal(near(passageOf('pear the apple')), 0.5);
  assert.equal(near(passageOf(`apple ${'the '.repeat(8)}pear`)), 0);
});
