import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheUntilNotified } from './cache-until-notified.ts';
import type { Notifier } from './notifier.ts';

/** A notifier that the test controls. */
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

test('reads a value once until a notification arrives', async () => {
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

test('does not keep a value that was being read when a notification arrived', async () => {
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

test('keeps nothing while notifications can not be received, nor after a failed read', async () => {
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
