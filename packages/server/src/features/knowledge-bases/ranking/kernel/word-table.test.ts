import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsIn } from '../split-words.ts';
import { makeWordTable, missing } from './word-table.ts';

test('finds the terms of the words that splitting a text gives', () => {
  const known = ['apple', 'pear', 'crème', 'straße', '1042', 'ключ', '𝒳y', 'a'];
  const termOf = new Map([...known.map((word, term) => [word, term] as const), ['the', -1]]);
  const table = makeWordTable(termOf);
  for (const text of [
    '',
    'Apple, PEAR-apple',
    'The cre\u0300me of the Straße 1042',
    'appl apples aa',
    'Ключ 𝒳y.',
    '--a',
  ]) {
    const { terms, unknown } = table.split(text);
    const words = wordsIn(text);
    assert.deepEqual(
      [...terms],
      words.map((word) => termOf.get(word) ?? missing),
      text,
    );
    assert.deepEqual(
      unknown,
      words.filter((word) => !termOf.has(word)),
      text,
    );
  }
});

test('has no terms when there are none', () => {
  const { terms, unknown } = makeWordTable(new Map()).split('an apple');
  assert.deepEqual(
    [[...terms], unknown],
    [
      [missing, missing],
      ['an', 'apple'],
    ],
  );
});
