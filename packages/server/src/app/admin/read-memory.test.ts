import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMemory } from './read-memory.ts';

const isOfThisProcess = (bytes: number) => bytes > 10_000_000 && bytes < 1e12;

test('answers the sum over all processes, where there are several', async () => {
  assert.equal(await readMemory({ sumMemory: async () => 3e12 }), 3e12);
  assert.ok(isOfThisProcess(await readMemory(undefined)));
});

test('answers the memory of this process when the sum fails or does not come', async (t) => {
  assert.ok(isOfThisProcess(await readMemory({ sumMemory: () => Promise.reject(new Error('ended')) })));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reading = readMemory({ sumMemory: () => new Promise(() => {}) });
  t.mock.timers.tick(1000);
  assert.ok(isOfThisProcess(await reading));
});
