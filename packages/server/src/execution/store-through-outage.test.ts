import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeOutage } from '../lib/outages/testing.ts';
import { LeaseLost } from './run-queue.ts';
import { storeThroughOutage } from './store-through-outage.ts';

/** A write that fails with each of these errors in turn, and then succeeds. */
function failing(...errors: Error[]) {
  let calls = 0;
  const write = async () => {
    const error = errors[calls++];
    if (error) throw error;
  };
  return { write, calls: () => calls };
}
const isStored = async () => true;
const isNotStored = async () => false;

test('writes again when the database was away', async () => {
  const { write, calls } = failing(await makeOutage());
  await storeThroughOutage(write, isNotStored);
  assert.equal(calls(), 2);
});

test('takes a lost lease after an outage for success when the events are stored, and for a loss otherwise', async () => {
  await storeThroughOutage(failing(await makeOutage(), new LeaseLost()).write, isStored);
  await assert.rejects(storeThroughOutage(failing(await makeOutage(), new LeaseLost()).write, isNotStored), LeaseLost);
});

test('does not ask whether the events are stored when the first attempt found the lease lost', async () => {
  await assert.rejects(storeThroughOutage(failing(new LeaseLost()).write, isStored), LeaseLost);
  await assert.rejects(storeThroughOutage(failing(new Error('other')).write, isStored), /other/);
});
