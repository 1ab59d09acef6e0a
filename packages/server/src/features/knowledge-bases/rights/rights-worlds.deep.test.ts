import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareWorlds } from '../../../../test/support/rights-worlds.ts';

test('no byte of an answer differs by documents that the person must not see', async () => {
  assert.ok((await compareWorlds(30, 7)) >= 30);
});
