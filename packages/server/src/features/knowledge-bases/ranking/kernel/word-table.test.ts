import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsIn } from '../split-words.ts';
import { makeWordTable, missing } from './word-table.ts';

test('finds the terms of the words that splitting a text gives', () => {
  const known = ['apple', 'pear', 'crème', 'straße', '1042', 'ключ', '𝒳y', 'a'];
  const termOf = new Map([...known.map((word, term) => [word, term] as const), ['the', -1]]);
  const { eachTerm } = makeWordTable(termOf);
  for (const text of [
    '',
    'Apple, PEAR-apple',
    'The cre\u0300me of the Straße 1042',
    'appl apples aa',
    'Ключ 𝒳y.',
    '--a',
  ]) {
    const found: [string, number][] = [];
    eachTerm(text, (term, lower, start, end) => found.push([lower.slice(start, end), term]));
    assert.deepEqual(
      found,
      wordsIn(text).map((word) => [word, termOf.get(word) ?? missing]),
      text,
    );
  }
});

test('has no words when there are none', () => {
  const found: number[] = [];
  makeWordTable(new Map()).eachTerm('an apple', (term) => found.push(term));
  assert.deepEqual(found, [missing, missing]);
});
