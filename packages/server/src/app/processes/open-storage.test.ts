import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsFor } from './open-storage.ts';

test('asks for as many connections as the pools of all processes may open, when the usual ones do not suffice', () => {
  const settings = [
    [1, 16],
    [1, 54],
    [1, 55],
    [1, 500],
    [2, 16],
    [4, 16],
  ].map(([processes = 0, db_pool = 0]) => settingsFor({ processes, db_pool }).settings?.max_connections);
  assert.deepEqual(settings, [undefined, undefined, '101', '657', undefined, '148']);
});
