import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSlots } from './slots.ts';

test('takes slots up to the limits of the node and of a workspace, and gives each back once', () => {
  const slots = makeSlots({ max_runs: 3, max_runs_per_workspace: 2 });
  const [first, second] = [slots.take('a'), slots.take('a')];
  assert.ok(first && second);
  assert.equal(slots.take('a'), undefined);
  assert.equal(slots.isFull, false);
  assert.ok(slots.take('b'));
  assert.equal(slots.isFull, true);
  assert.equal(slots.take('c'), undefined);
  slots.takeExtra('c').release();
  assert.equal(slots.running, 3, 'one beyond the limits is not counted');
  first.release();
  first.release();
  assert.deepEqual([slots.running, slots.isFull], [2, false]);
  assert.ok(slots.take('a'));
});

test('serves the workspace with room that was served longest ago', () => {
  const slots = makeSlots({ max_runs: 5, max_runs_per_workspace: 1 });
  const [a, b] = [slots.take('a'), slots.take('b')];
  assert.equal(slots.fairest(['a', 'b']), undefined);
  b?.release();
  a?.release();
  assert.equal(slots.fairest(['b', 'a']), 'a');
  assert.equal(slots.fairest(['b', 'a', 'new']), 'new');
});

test('tells all listeners of a free slot, each of them first in turn', () => {
  const slots = makeSlots({ max_runs: 1, max_runs_per_workspace: 1 });
  const told: string[] = [];
  for (const name of ['agents', 'workflows']) slots.onFree(() => void told.push(name));
  slots.notifyFree();
  slots.notifyFree();
  assert.deepEqual(told, ['workflows', 'agents', 'agents', 'workflows']);
});
