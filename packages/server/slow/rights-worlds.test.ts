import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWorlds } from '../test/support/rights-worlds.ts';

test('no byte of an answer differs by what is forbidden in 1,000 random worlds', async () => {
  assert.ok((await compareWorlds(1000, Number(process.env['SEED'] ?? 23))) >= 1000);
});
