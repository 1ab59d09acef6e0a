import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMetricsGatherer } from './gather-metrics.ts';

const memoryOf = (value: number) => [{ name: 'process_resident_memory_bytes', type: 'gauge', values: [{ value }] }];

test('sums the memory of all processes, with the last figure of one that fails to answer', async () => {
  const { sumMemory } = makeMetricsGatherer();
  const alone = await sumMemory([]);
  assert.ok(alone > 10_000_000, `${alone} bytes`);
  const first = { pid: 1, read: async () => memoryOf(3e12) };
  const second = { pid: 2, read: async () => memoryOf(4e12) };
  assert.equal(Math.floor((await sumMemory([first, second])) / 1e12), 7);
  const failing = { pid: 2, read: () => Promise.reject(new Error('ended')) };
  assert.equal(Math.floor((await sumMemory([first, failing])) / 1e12), 7);
});

test('sums the memory half a second later, with the last figure of a process that is stuck', async (t) => {
  const { sumMemory } = makeMetricsGatherer();
  await sumMemory([{ pid: 1, read: async () => memoryOf(3e12) }]);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sum = sumMemory([{ pid: 1, read: () => new Promise(() => {}) }]);
  t.mock.timers.tick(500);
  const next = new Promise<undefined>((resolve) => setImmediate(() => setImmediate(resolve, undefined)));
  assert.equal(Math.floor(((await Promise.race([sum, next])) ?? 0) / 1e12), 3);
});
