import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Lane, makeCommandSlots } from './command-slots.ts';

const forever = new AbortController().signal;

test('runs one command at a time in a sandbox, and no more at once than there are slots', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.record({ workspace: fc.nat(2), sandbox: fc.nat(3) }), { maxLength: 30 }),
      async (most, jobs) => {
        const lanes = makeCommandSlots(most);
        const running = new Map<string, number>();
        let done = 0;
        await Promise.all(
          jobs.map(async ({ workspace, sandbox }) => {
            const id = `${workspace}-${sandbox}`;
            const lane = (await lanes.take(`w${workspace}`, id, 10_000, forever)) as Lane;
            running.set(id, (running.get(id) ?? 0) + 1);
            assert.equal(running.get(id), 1);
            assert.ok(running.size <= most);
            await new Promise((resolve) => setImmediate(resolve));
            running.delete(id);
            done++;
            lane.release();
            lane.release();
          }),
        );
        assert.equal(done, jobs.length);
      },
    ),
    { numRuns: 50 },
  );
});

test('lets a workspace that sends many commands wait for itself only', async () => {
  const lanes = makeCommandSlots(2);
  const order: string[] = [];
  const enter = async (workspace: string, sandbox: string) => {
    const lane = (await lanes.take(workspace, sandbox, 10_000, forever)) as Lane;
    order.push(workspace);
    return lane;
  };
  const first = [await enter('greedy', 'a'), await enter('greedy', 'b')];
  const waiting = [enter('greedy', 'c'), enter('greedy', 'd'), enter('modest', 'e')];
  first[0]?.release();
  const modest = await waiting[2];
  assert.deepEqual(order, ['greedy', 'greedy', 'modest']);
  for (const lane of [first[1], modest]) lane?.release();
  assert.equal((await Promise.all(waiting)).length, 3);
});

test('gives no slot to a caller that times out or leaves', async () => {
  const lanes = makeCommandSlots(1);
  const lane = await lanes.take('w', 'a', 1000, forever);
  assert.equal(await lanes.take('w', 'b', 20, forever), undefined);
  const leaving = new AbortController();
  const waited = lanes.take('w', 'c', 10_000, leaving.signal);
  leaving.abort();
  assert.equal(await waited, undefined);
  lane?.release();
  assert.ok(await lanes.take('w', 'd', 1000, forever));
});

test('reports a sandbox as idle when its command has ended', async () => {
  const lanes = makeCommandSlots(2);
  const lane = await lanes.take('w', 'a', 1000, forever);
  await lanes.idle('b');
  let idle = false;
  const waited = lanes.idle('a').then(() => {
    idle = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(idle, false);
  lane?.release();
  await waited;
});
