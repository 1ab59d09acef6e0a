import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLoginLimits } from './login-limits.ts';

test('one network can start 300 sign-ins in a minute, and slows no other network', () => {
  let time = 0;
  const countStart = makeLoginLimits(() => time);
  for (let count = 0; count < 300; count++) countStart('203.0.113.7');
  assert.throws(() => countStart('203.0.113.7'), { code: 'rate_limited', headers: { 'retry-after': '60' } });
  countStart('203.0.113.8');
  time = 60_000;
  countStart('203.0.113.7');
});
