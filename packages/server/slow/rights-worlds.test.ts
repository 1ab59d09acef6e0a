import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { compareRecordWorlds } from '../test/support/record-worlds.ts';
import { compareWorlds } from '../test/support/rights-worlds.ts';

const worlds = Number(process.env['WORLDS'] ?? 1000);
const seed = Number(process.env['SEED'] ?? 23);

/** Worlds that share a workspace: within a quarter of an hour a sandbox that nobody uses ends by itself, and that is seen. */
const inWorkspace = 500;

type Compare = (least: number, seed: number) => Promise<number>;

/** Compares so many worlds, each workspace with a seed and a server of its own, which ends with its test. */
async function compareAll(t: TestContext, compare: Compare): Promise<void> {
  for (let done = 0, own = seed; done < worlds; done += inWorkspace, own++) {
    const least = Math.min(inWorkspace, worlds - done);
    await t.test(`${least} worlds, SEED=${own}`, async () => assert.ok((await compare(least, own)) >= least));
  }
}

test('no byte of an answer differs by what is forbidden in random worlds', (t) => compareAll(t, compareWorlds));

test('no byte of an answer differs by what other people run, upload and converse in random worlds', (t) =>
  compareAll(t, compareRecordWorlds));
