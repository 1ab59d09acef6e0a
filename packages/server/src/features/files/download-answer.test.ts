import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeOf } from './download-answer.ts';

const cases: [range: string | undefined, expected: ReturnType<typeof rangeOf>][] = [
  [undefined, undefined],
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-5', { start: 2, end: 5 }],
  ['bytes=5-', { start: 5, end: 9 }],
  ['bytes=5-1000', { start: 5, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-1000', { start: 0, end: 9 }],
  ['bytes= 2 - 5 ', { start: 2, end: 5 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-20', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  // A header that is not a single valid range is ignored.
  ['bytes=5-2', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=a-b', undefined],
  ['bytes=1e3-', undefined],
  ['items=0-1', undefined],
  ['', undefined],
  [`bytes=${'9'.repeat(30)}-`, undefined],
];
test('reads a single range within 10 bytes, and ignores what is none', () => {
  for (const [range, expected] of cases) assert.deepEqual(rangeOf(range, 10), expected, range ?? 'no header');
});

test('returns an empty file whole for any range', () => {
  for (const range of ['bytes=0-', 'bytes=0-100', 'bytes=-5']) assert.equal(rangeOf(range, 0), undefined);
});
