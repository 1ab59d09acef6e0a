import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRecordWorlds } from '../test/support/record-worlds.ts';
import { compareWorlds } from '../test/support/rights-worlds.ts';

const worlds = Number(process.env['WORLDS'] ?? 1000);
const seed = Number(process.env['SEED'] ?? 23);

test('no byte of an answer differs by what is forbidden in random worlds', async (t) => {
  t.diagnostic(`${worlds} worlds, SEED=${seed}`);
  assert.ok((await compareWorlds(worlds, seed)) >= worlds);
});

test('no byte of an answer differs by what other people run, upload and converse in random worlds', async (t) => {
  t.diagnostic(`${worlds} worlds, SEED=${seed}`);
  assert.ok((await compareRecordWorlds(worlds, seed)) >= worlds);
});
