import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCounters } from '../../../lib/counters/make-counters.ts';
import { makeLoginLimits } from './login-limits.ts';

test('one network can start 300 sign-ins in a minute, and slows no other network', async () => {
  let time = 0;
  const countStart = makeLoginLimits(makeCounters(() => time));
  for (let count = 0; count < 300; count++) await countStart('203.0.113.7');
  await assert.rejects(countStart('203.0.113.7'), { code: 'rate_limited', headers: { 'retry-after': '60' } });
  await countStart('203.0.113.8');
  time = 60_000;
  await countStart('203.0.113.7');
});
