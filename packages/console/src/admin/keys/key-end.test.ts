import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endAfter, keyEnd } from './key-end.ts';

const now = Date.parse('2026-11-17T12:00:00Z');

test('says that a key is soon over when it ends within two weeks', () => {
  assert.deepEqual(keyEnd(null, now), { state: 'never', days: 0 });
  assert.deepEqual(keyEnd('2026-11-17T11:59:00Z', now), { state: 'over', days: 0 });
  assert.deepEqual(keyEnd('2026-11-23T13:00:00Z', now), { state: 'soon', days: 6 });
  assert.deepEqual(keyEnd('2027-02-15T12:00:00Z', now), { state: 'later', days: 90 });
});

test('ends after the chosen days, on the chosen day or never when a key is made', () => {
  assert.equal(endAfter('never', '', now), undefined);
  assert.equal(endAfter('90', '', now), '2027-02-15T12:00:00.000Z');
  assert.match(endAfter('date', '2026-12-24', now) ?? '', /^2026-12-2[3-5]T/);
});
