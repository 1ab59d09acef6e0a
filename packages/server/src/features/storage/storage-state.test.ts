import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseQuota } from './choose-quota.ts';
import { stateOf } from './service.ts';

test('a workspace is near its quota from nine tenths on, and full when nothing is left', () => {
  const quota = { bytes: 1000, source: 'workspace' as const };
  const states = [0, 899, 900, 999, 1000, 1001].map((used) => stateOf(quota, used, false));
  assert.deepEqual(states, ['ok', 'ok', 'near', 'near', 'full', 'full']);
  assert.equal(stateOf({ ...quota, bytes: 0 }, 1_000_000, false), 'ok', 'without a quota');
});

test('only the default is waived for a workspace that kept more when it came', () => {
  const byDefault = { bytes: 1000, source: 'default' as const };
  assert.equal(stateOf(byDefault, 1001, true), 'over_default');
  assert.equal(stateOf(byDefault, 1000, true), 'full');
  assert.equal(stateOf(byDefault, 1001, false), 'full');
  assert.equal(stateOf({ ...byDefault, source: 'server' }, 1001, true), 'full');
});

test('the lower one of two quotas holds, and the default only where a workspace has none', () => {
  const server = (bytes: number, is_default = false) => ({ bytes, is_default });
  assert.deepEqual(chooseQuota(5, server(10)), { bytes: 5, source: 'workspace' });
  assert.deepEqual(chooseQuota(10, server(10)), { bytes: 10, source: 'workspace' });
  assert.deepEqual(chooseQuota(11, server(10)), { bytes: 10, source: 'server' });
  assert.deepEqual(chooseQuota(11, server(10, true)), { bytes: 11, source: 'workspace' });
  assert.deepEqual(chooseQuota(11, server(0)), { bytes: 11, source: 'workspace' });
  assert.deepEqual(chooseQuota(0, server(10, true)), { bytes: 10, source: 'default' });
});
