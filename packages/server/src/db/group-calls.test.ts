import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteOutages } from '../lib/outages/database-outages.ts';
import { groupCalls } from './group-calls.ts';

const inOne = () => 'workspace';

/** Doubles numbers, notes which came together, and fails for negative ones. */
function makeDoubler() {
  const groups: number[][] = [];
  const double = groupCalls(inOne, async (items: readonly number[]) => {
    groups.push([...items]);
    await sleep(5);
    if (items.some((item) => item < 0)) throw new Error('negative');
    return items.map((item) => 2 * item);
  });
  return { groups, double };
}

test('joins the calls that come while another is under way', async () => {
  const { groups, double } = makeDoubler();
  const first = double(1);
  while (groups.length === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await Promise.all([first, double(2), double(3)]), [2, 4, 6]);
  assert.deepEqual(groups, [[1], [2, 3]]);
});

test('fails only the call that is the cause when a group fails', async () => {
  const { double } = makeDoubler();
  const results = await Promise.allSettled([double(1), double(-1), double(3)]);
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    [2, 'failed', 6],
  );
});

test('repeats no call when the database is away, since its statement may have been committed', async () => {
  let calls = 0;
  const call = groupCalls(inOne, async (_: readonly number[]) => {
    calls++;
    return noteOutages(Promise.reject<number[]>(Object.assign(new Error('gone'), { code: 'ECONNRESET' })));
  });
  const results = await Promise.allSettled([call(1), call(2)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(calls, 1);
});

test('takes calls again after a failure', async () => {
  const { double } = makeDoubler();
  await assert.rejects(double(-1), /negative/);
  assert.equal(await double(4), 8);
});

test('never has two statements under way', async () => {
  let busy = 0;
  let atOnce = 0;
  const call = groupCalls(inOne, async (items: readonly number[]) => {
    atOnce = Math.max(atOnce, ++busy);
    await sleep(1);
    busy--;
    return items;
  });
  await Promise.all(Array.from({ length: 200 }, (_, n) => call(n)));
  assert.equal(atOnce, 1);
});

/** When the statements for three calls begin, of which the first `together` come at once and the others while they run. */
async function timesOfStatements(together: number): Promise<number[]> {
  const times: number[] = [];
  const call = groupCalls(inOne, async (items: readonly number[]) => {
    times.push(performance.now());
    await sleep(1);
    return items;
  });
  const first = Array.from({ length: together }, (_, n) => call(n));
  while (times.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([...first, call(3)]);
  return times;
}

test('waits a little for further calls when the last statement had several, and not when it had one', async () => {
  const [begun = 0, next = 0] = await timesOfStatements(2);
  assert.ok(next - begun >= 13, `${next - begun} ms apart`);
  const pauses = [];
  for (let turn = 0; turn < 10; turn++) {
    const [one = 0, other = 0] = await timesOfStatements(1);
    pauses.push(other - one);
  }
  assert.ok(Math.min(...pauses) < 12, `${pauses} ms apart`);
});

test('does not wait for the statement of another workspace', async () => {
  const never = Promise.withResolvers<void>();
  const call = groupCalls(String, async (items: readonly number[]) => {
    if (items.includes(1)) await never.promise;
    return items;
  });
  const stuck = call(1);
  assert.equal(await call(2), 2);
  never.resolve();
  assert.equal(await stuck, 1);
});
