import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooLarge } from './answer-body.ts';

test('says in round units how much is taken', () => {
  const said = (bytes: number) => /than the (.+) that are taken/.exec(tooLarge(bytes).message)?.[1];
  assert.deepEqual([1023, 1024, 2047, 1024 * 1024 - 1, 1024 * 1024, 25 * 1024 * 1024].map(said), [
    '1023 bytes',
    '1 kB',
    '1 kB',
    '1023 kB',
    '1 MB',
    '25 MB',
  ]);
});
