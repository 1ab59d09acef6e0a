import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRecordWorlds } from '../test/support/record-worlds.ts';
import { compareWorlds } from '../test/support/rights-worlds.ts';

const worlds = Number(process.env['WORLDS'] ?? 1000);
const seed = Number(process.env['SEED'] ?? 23);

/** Worlds that share a workspace: within a quarter of an hour a sandbox that nobody uses ends by itself, and that is seen. */
const inWorkspace = 500;

/** Compares so many worlds, each workspace with a seed of its own. */
async function compareAll(compare: (least: number, seed: number) => Promise<number>): Promise<number> {
  let compared = 0;
  for (let own = seed; compared < worlds; own++)
    compared += await compare(Math.min(inWorkspace, worlds - compared), own);
  return compared;
}

test('no byte of an answer differs by what is forbidden in random worlds', async (t) => {
  t.diagnostic(`${worlds} worlds, SEED=${seed}`);
  assert.ok((await compareAll(compareWorlds)) >= worlds);
});

test('no byte of an answer differs by what other people run, upload and converse in random worlds', async (t) => {
  t.diagnostic(`${worlds} worlds, SEED=${seed}`);
  assert.ok((await compareAll(compareRecordWorlds)) >= worlds);
});
