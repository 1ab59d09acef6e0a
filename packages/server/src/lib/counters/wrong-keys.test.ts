import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeWrongKeys } from './wrong-keys.ts';

const network = '10.1.1.0/24';

test('lets the next key wait for its turn, never for less than nothing, when the clock goes on meanwhile', () => {
  let clock = 1_000_000;
  const keys = makeWrongKeys(() => clock++);
  for (let wrong = 0; wrong < 5; wrong++) keys.count(network);
  const waits = Array.from({ length: 3 }, () => keys.takeTurn(network, 5));
  assert.equal(waits[0], 0);
  assert.ok(
    waits.every((wait, index) => wait >= 0 && wait <= index * 250),
    String(waits),
  );
  assert.ok((waits[2] as number) > 400, String(waits));
});

test('refuses a key with the count of wrong ones when twenty already wait', () => {
  const keys = makeWrongKeys(() => 1_000_000);
  for (let wrong = 0; wrong < 6; wrong++) keys.count(network);
  for (let turn = 0; turn < 20; turn++) assert.equal(keys.takeTurn(network, 5), turn * 250);
  assert.equal(keys.takeTurn(network, 5), -6);
  assert.equal(keys.takeTurn('10.1.2.0/24', 5), 0);
});

test('forgets wrong keys when none has come for ten minutes', () => {
  let clock = 0;
  const keys = makeWrongKeys(() => clock);
  for (let wrong = 0; wrong < 5; wrong++) keys.count(network);
  clock = 599_999;
  assert.equal(keys.count(network), 6);
  clock += 600_000;
  assert.equal(keys.takeTurn(network, 5), 0);
  assert.equal(keys.count(network), 1);
});
