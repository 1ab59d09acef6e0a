import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsIn } from '../split-words.ts';
import { makeWordTable, missing, type WordTable } from './word-table.ts';

/** A table as it is, and one where WebAssembly can't be used. */
const makeTables = (termOf: ReadonlyMap<string, number>) => [
  makeWordTable(termOf),
  makeWordTable(termOf, () => {
    throw new RangeError('no memory');
  }),
];

test('finds the terms of the words that splitting a text gives', () => {
  const known = ['apple', 'pear', 'crème', 'straße', '1042', 'ключ', '𝒳y', 'a'];
  const termOf = new Map([...known.map((word, term) => [word, term] as const), ['the', -1], ['=appl', 1]]);
  const texts = [
    '',
    'Apple, PEAR-apple',
    'The cre\u0300me of the Straße 1042',
    'appl apples aa =appl',
    'Ключ 𝒳y.',
    '--a',
    `${'a '.repeat(24_999)}pear-apple`,
    `${'é '.repeat(10)}${'a '.repeat(24_990)}`,
  ];
  for (const [table, text] of makeTables(termOf).flatMap((own) => texts.map((each) => [own, each] as const))) {
    const { terms, unknown } = table.split(text);
    const words = wordsIn(text);
    assert.deepEqual(
      [...terms],
      words.map((word) => termOf.get(word) ?? missing),
      text.slice(0, 50),
    );
    assert.deepEqual(
      unknown,
      words.filter((word) => !termOf.has(word)),
      text.slice(0, 50),
    );
  }
});

test('splits texts with any sign at any place of a word as in JavaScript', () => {
  const [fast, plain] = makeTables(new Map([['a', 0]])) as [WordTable, WordTable];
  for (let unit = 0; unit < 65_536; unit++) {
    const sign = String.fromCharCode(unit);
    const text = `a${sign} ${sign}B${sign}\u0301 A\u03a3${sign}c`;
    assert.deepEqual(fast.split(text), plain.split(text), unit.toString(16));
    const simple = `${sign}a A${sign} ${sign}`;
    assert.deepEqual(fast.split(simple), plain.split(simple), unit.toString(16));
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

/** Words whose hashes end in the same 14 bits, so that a table of 8,192 words has one place for them all. */
function wordsOfOneHash(count: number): string[] {
  const words: string[] = [];
  for (let number = 0; words.length < count; number++) {
    const word = number.toString(36);
    let hash = 0x811c9dc5 | 0;
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    if ((hash & 0x3fff) === 0) words.push(word);
  }
  return words;
}

test('finds words of one hash, however many there are', () => {
  const words = wordsOfOneHash(200);
  const others = Array.from({ length: 7900 }, (_, number) => `other${number}`);
  const termOf = new Map([...words, ...others].map((word, term) => [word, term]));
  for (const table of makeTables(termOf)) {
    assert.deepEqual([...table.split(words.join(' ')).terms], [...words.keys()]);
    assert.deepEqual(table.split('absent other7899').unknown, ['absent']);
  }
});
