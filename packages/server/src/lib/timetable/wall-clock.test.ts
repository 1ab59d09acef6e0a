import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentOf, offsetsOf } from './wall-clock.ts';

const berlin = offsetsOf('Europe/Berlin');
const momentIn = (wall: string, offsets = berlin) =>
  new Date(momentOf(Date.parse(`${wall}Z`), offsets)).toISOString().slice(0, 16);

test('finds the moment at which the clock of a zone shows a time', () => {
  assert.equal(momentIn('2025-01-15T12:00'), '2025-01-15T11:00');
  assert.equal(momentIn('2025-07-15T12:00'), '2025-07-15T10:00');
  assert.equal(momentIn('2025-07-15T12:00', offsetsOf('Asia/Kolkata')), '2025-07-15T06:30');
});

test('takes the first of two moments when the clock shows a time twice', () => {
  assert.equal(momentIn('2025-10-26T02:30'), '2025-10-26T00:30');
  assert.equal(momentIn('2025-10-26T03:30'), '2025-10-26T02:30');
});

test('takes the moment of the jump when the clock never shows a time', () => {
  for (const minute of ['02:00', '02:01', '02:30', '02:59'])
    assert.equal(momentIn(`2025-03-30T${minute}`), '2025-03-30T01:00', minute);
  assert.equal(momentIn('2025-03-30T01:59'), '2025-03-30T00:59');
  assert.equal(momentIn('2025-03-30T03:00'), '2025-03-30T01:00');
  // A whole day was left out here.
  assert.equal(momentIn('2011-12-30T12:00', offsetsOf('Pacific/Apia')), '2011-12-30T10:00');
});
