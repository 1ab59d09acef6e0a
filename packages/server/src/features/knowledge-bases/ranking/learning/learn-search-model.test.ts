import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeModel } from '../search-model.ts';
import { learnSearchModel, splitPassages } from './learn-search-model.ts';

/** Texts of random words, the same each time. */
function makeTexts(count: number): { text: string; heading: string }[] {
  let state = 5;
  const next = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const word = () => `w${Math.floor(300 ** (next(1000) / 1000))}`;
  return Array.from({ length: count }, () => ({ text: Array.from({ length: 30 }, word).join(' '), heading: word() }));
}

test('learns the same to the last bit when the passages come in another order', () => {
  const learn = (passages: { text: string; heading: string }[]) => {
    const split = splitPassages(passages);
    return Buffer.from(encodeModel(learnSearchModel(split, split.words, passages.length)));
  };
  const texts = makeTexts(300);
  const byEnd = texts.toSorted((a, b) => (a.text.slice(-9) < b.text.slice(-9) ? -1 : 1));
  assert.ok(learn(texts).equals(learn(byEnd)));
  assert.ok(learn(texts).equals(learn(texts.toReversed())));
});
