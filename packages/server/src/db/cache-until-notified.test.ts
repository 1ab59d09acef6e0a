import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheUntilNotified } from './cache-until-notified.ts';
import type { Notifier } from './notifier.ts';

/** A bell that is rung by hand. */
function makeManualNotifier() {
  const heard: (() => void)[] = [];
  const missed: (() => void)[] = [];
  const state = { isListening: true };
  const notifier = {
    on: (_: string, listener: () => void) => void heard.push(listener),
    onMissed: (listener: () => void) => void missed.push(listener),
    get isListening() {
      return state.isListening;
    },
  } as unknown as Notifier;
  const notify = () => heard.forEach((listener) => void listener());
  const lose = () => {
    state.isListening = false;
    missed.forEach((listener) => void listener());
  };
  return { notifier, notify, lose };
}

test('what was read is not read again until the bell rings', async () => {
  const { notifier, notify } = makeManualNotifier();
  let stored = 'old';
  let reads = 0;
  const kept = cacheUntilNotified(notifier, 'names', async (key) => {
    reads++;
    return `${key} ${stored}`;
  });
  assert.deepEqual([await kept('a'), await kept('a'), await kept('b'), reads], ['a old', 'a old', 'b old', 2]);
  stored = 'new';
  notify();
  assert.deepEqual([await kept('a'), reads], ['a new', 3]);
});

test('what was being read when the bell rang is not kept', async () => {
  const { notifier, notify } = makeManualNotifier();
  const gate = Promise.withResolvers<string>();
  let answer: Promise<string> = gate.promise;
  const kept = cacheUntilNotified(notifier, 'names', () => answer);
  const early = kept('a');
  answer = Promise.resolve('new');
  notify();
  gate.resolve('old');
  assert.deepEqual([await early, await kept('a')], ['old', 'new']);
});

test('nothing is kept while the bell can not be heard, nor when reading failed', async () => {
  const { notifier, lose } = makeManualNotifier();
  let reads = 0;
  const kept = cacheUntilNotified(notifier, 'names', async () => {
    if (++reads === 1) throw new Error('not now');
    return reads;
  });
  await assert.rejects(kept('a'), /not now/);
  assert.deepEqual([await kept('a'), await kept('a')], [2, 2]);
  lose();
  assert.deepEqual([await kept('a'), await kept('a')], [3, 4]);
});
