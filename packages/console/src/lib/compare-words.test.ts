import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWords } from './compare-words.ts';

const shown = (before: string, after: string) =>
  compareWords(before, after)
    .map(({ added, removed, value }) => (added ? `[+${value}]` : removed ? `[-${value}]` : value))
    .join('');

test('marks the words that were taken out and put in', () => {
  assert.equal(shown('a calm colleague.', 'a calm, friendly colleague.'), 'a calm[+,] [+friendly ]colleague.');
  assert.equal(shown('same', 'same'), 'same');
  assert.equal(shown('', 'new words'), '[+new words]');
  assert.equal(shown('old', ''), '[-old]');
});

test('gives back both texts from its parts, for long texts too', () => {
  const before = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join('');
  const after = before.replace('line 77\n', 'line seventy-seven\n');
  const parts = compareWords(before, after);
  const without = (kind: 'added' | 'removed') => parts.flatMap((part) => (part[kind] ? [] : part.value)).join('');
  assert.equal(without('added'), before);
  assert.equal(without('removed'), after);
});
