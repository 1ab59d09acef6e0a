import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffWords } from './word-diff.ts';

const shown = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `[+${text}]` : `[-${text}]`))
    .join('');

test('marks the words that were taken out and put in', () => {
  assert.equal(shown('a calm colleague.', 'a calm, friendly colleague.'), 'a [-calm ][+calm, friendly ]colleague.');
  assert.equal(shown('same', 'same'), 'same');
  assert.equal(shown('', 'new words'), '[+new words]');
  assert.equal(shown('old', ''), '[-old]');
});

test('gives back both texts from its parts, for long texts too', () => {
  const before = Array.from({ length: 5000 }, (_, index) => `line ${index}\n`).join('');
  const after = before.replace('line 77\n', 'line seventy-seven\n');
  const parts = diffWords(before, after);
  const without = (kind: string) => parts.flatMap((part) => (part.kind === kind ? [] : part.text)).join('');
  assert.equal(without('added'), before);
  assert.equal(without('removed'), after);
});
