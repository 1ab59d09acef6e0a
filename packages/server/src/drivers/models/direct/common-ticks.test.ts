import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { atCommonTick } from './common-ticks.ts';

test('calls at once when there was no tick lately, and all that come then at one later tick', async () => {
  await sleep(30);
  const calls: string[] = [];
  atCommonTick(() => calls.push('first'));
  assert.deepEqual(calls, ['first']);
  atCommonTick(() => calls.push('second'));
  atCommonTick(() => calls.push('third'));
  assert.deepEqual(calls, ['first']);
  await sleep(60);
  assert.deepEqual(calls, ['first', 'second', 'third']);
});

test('takes what comes during a tick to the next one', async () => {
  await sleep(30);
  const calls: string[] = [];
  atCommonTick(() => {
    calls.push('outer');
    atCommonTick(() => calls.push('inner'));
    assert.deepEqual(calls, ['outer']);
  });
  await sleep(60);
  assert.deepEqual(calls, ['outer', 'inner']);
});
