import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { makeLog } from '../lib/log.ts';
import type { Scope } from '../lib/scope.ts';
import { makeExecutor } from './executor.ts';
import { type LeasedRun, LeaseLost } from './run-queue.ts';
import { makeSlots } from './slots.ts';

const aRun: LeasedRun = {
  ...{ id: 'r', group_id: 'w', last_seq: 0, stop_requested: false },
  principal: {
    ...{ tenant_id: 't', home_workspace_id: 'w', permissions: [], tenant_admin: false },
    actor: { type: 'api_key', id: 'k' } as never,
  },
};

/** An executor without a timer: it looks for queued runs only when it is notified. */
function rig() {
  const waiting: LeasedRun[] = [];
  const looks: (() => void)[] = [];
  let free = false;
  const begun = Promise.withResolvers<void>();
  const executor = makeExecutor<LeasedRun, undefined>({
    ...{ db: {} as Database, log: makeLog('silent'), topic: 'run', node_id: 'n' },
    notifier: { on: () => () => {}, notify: async () => {} } as unknown as Notifier,
    runLog: { open() {}, close() {}, isEnding: () => false, leave() {} },
    slots: makeSlots({ max_runs: 5, max_runs_per_workspace: 5 }),
    queue: {
      /** Reads the queue when it is called, and returns when the test calls `answer`. */
      async waitingRuns() {
        const seen = [...waiting];
        if (!free) await new Promise<void>((answer) => looks.push(answer));
        return seen;
      },
      ...{ someWait: async () => false, takeOver: async () => [], renewLeases: async () => [] },
      ...{ lostRuns: async () => [], releaseRun: async () => 0, releaseRuns: async () => 0, lapseAll: async () => 0 },
      ...{ requestStop: async () => undefined, resumeRun: async () => undefined },
    },
    execute: async () => begun.resolve(),
    async begin(run) {
      waiting.splice(waiting.indexOf(run), 1);
      return run;
    },
  });
  /** Waits until the executor reads the queue. */
  const looked = async () => {
    for (let turns = 0; looks.length === 0; turns++) {
      assert.ok(turns < 1000, 'nobody looks');
      await new Promise(setImmediate);
    }
  };
  const answer = async () => {
    await looked();
    looks.shift()?.();
  };
  /** From now on all are answered at once. */
  const close = () => {
    free = true;
    for (const one of looks.splice(0)) one();
    return executor.close();
  };
  return { executor, waiting, looked, begun: begun.promise, answer, close };
}

test('a run that was left waiting for what has ended meanwhile is begun without anything else coming to its end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { executor, waiting, begun, answer, close } = rig();
  await answer();
  waiting.push(aRun);
  await executor.notifyWaiting();
  await answer();
  await begun;
  await close();
});

test('a run that is left waiting while others are looked for is seen, too', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { executor, waiting, looked, begun, answer, close } = rig();
  // The look at the start is under way, and has seen nothing.
  await looked();
  waiting.push(aRun);
  await executor.notifyWaiting();
  await answer();
  await answer();
  await begun;
  assert.deepEqual(waiting, []);
  await close();
});

/** An executor with one run, whose lease is here until the test gives it to another node. */
function rigOfOne(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  let elsewhere = false;
  let ending = false;
  let asked = 0;
  const closed: string[] = [];
  const given = Promise.withResolvers<Scope>();
  const executor = makeExecutor<LeasedRun, undefined>({
    ...{ db: {} as Database, log: makeLog('silent'), topic: 'run', node_id: 'n' },
    notifier: { on: () => () => {}, notify: async () => {} } as unknown as Notifier,
    runLog: { open() {}, close: (id) => void closed.push(id), isEnding: () => ending, leave() {} },
    slots: makeSlots({ max_runs: 5, max_runs_per_workspace: 5 }),
    queue: {
      async renewLeases(_, __, ids) {
        asked++;
        return elsewhere ? [] : ids.map((id) => ({ id, stop_requested: false }));
      },
      lostRuns: async (_, __, runs) => (elsewhere ? runs.map(({ id }) => id) : []),
      ...{ waitingRuns: async () => [], someWait: async () => false, takeOver: async () => [] },
      ...{ releaseRun: async () => 0, releaseRuns: async () => 0 },
      ...{ lapseAll: async () => 0, requestStop: async () => undefined, resumeRun: async () => undefined },
    },
    execute: async (scope, _, signal) => {
      given.resolve(scope);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    },
    begin: async (run) => run,
  });
  executor.start(aRun, { workspace_id: 'w', release() {} });
  return {
    ...{ executor, closed, scope: given.promise },
    giveAway: (isEnding = false) => {
      elsewhere = true;
      ending = isEnding;
    },
    asked: () => asked,
    renew: async () => {
      t.mock.timers.tick(3000);
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    },
  };
}

test('stops a run here when another node has it at the renewal', async (t) => {
  const { executor, scope, closed, giveAway, renew } = rigOfOne(t);
  const { signal } = await scope;
  await renew();
  assert.equal(signal.aborted, false);
  giveAway();
  await renew();
  assert.ok(signal.reason instanceof LeaseLost);
  assert.equal(closed[0], aRun.id, 'followers read the log of the other node');
  await executor.close();
});

test('does not stop a run whose end is being stored', async (t) => {
  const { executor, scope, giveAway, renew } = rigOfOne(t);
  const { signal } = await scope;
  giveAway(true);
  await renew();
  assert.equal(signal.aborted, false);
  await executor.close();
});

test('asks for the lease before an effect only when the last renewal is old, and refuses when it is lost', async (t) => {
  const { executor, scope, giveAway, asked } = rigOfOne(t);
  const { requireLease, signal } = await scope;
  await requireLease?.();
  assert.equal(asked(), 0);
  t.mock.timers.setTime(Date.now() + 20_000);
  const before = asked();
  await requireLease?.();
  assert.equal(asked(), before + 1);
  await requireLease?.();
  assert.equal(asked(), before + 1, 'it was renewed a moment ago');
  giveAway();
  t.mock.timers.setTime(Date.now() + 20_000);
  await assert.rejects(async () => requireLease?.(), LeaseLost);
  assert.ok(signal.aborted);
  await executor.close();
});
