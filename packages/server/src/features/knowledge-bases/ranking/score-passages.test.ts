import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseQuestion } from './parse-question.ts';
import { readPassage, splitPassage } from './passage-terms.ts';
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
  readPassage(model, { id: '1', text, heading: '' }, question);

test('a term that feedback brings once more counts with both weights', () => {
  const passage = passageOf('the apple, the pear');
  const once = makeScorer(model, [weighted(0, 0.9)])(passage).text;
  const twice = makeScorer(model, [weighted(0, 0.9), weighted(1, 0.05), weighted(0, 0.05)])(passage).text;
  const other = makeScorer(model, [weighted(1, 0.05)])(passage).text;
  assert.ok(once > 0 && other > 0);
  assert.ok(Math.abs(twice - (once * 0.95) / 0.9 - other) < 1e-9);
});

test('a word that only the question has is found in passages that are known already', () => {
  const known = splitPassage(model, { text: 'An apple and a zyzzyva', heading: 'Zyzzyva' });
  const passage = { id: '1', known };
  assert.deepEqual([...readPassage(model, passage, asked('apple')).text], [-2, 0, -2, -2, -2]);
  const { terms } = asked('zyzzyva');
  const [own] = terms;
  const found = readPassage(model, passage, asked('zyzzyva'));
  assert.deepEqual([[...found.text], [...found.heading]], [[-2, 0, -2, -2, own?.term], [own?.term]]);
});

test('a passage is split anew when it was edited, and only then', () => {
  const before = splitPassage(model, { text: 'apple pear', heading: '' });
  assert.equal(splitPassage(model, { text: 'apple pear', heading: '' }, before), before);
  assert.deepEqual([...splitPassage(model, { text: 'apple plum', heading: '' }, before).text], [0, 2]);
});

test('neighbours of the question count more the nearer they stand', () => {
  const near = makeProximity([weighted(0, 1), weighted(1, 1)]);
  assert.equal(near(passageOf('apple pear')), 1);
  assert.equal(near(passageOf('pear the apple')), 0.5);
  assert.equal(near(passageOf(`apple ${'the '.repeat(8)}pear`)), 0);
});
