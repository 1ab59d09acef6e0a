import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { makeLog } from '../lib/log.ts';
import { makeOutage } from '../lib/outages/testing.ts';
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
  const begun = Promise.withResolvers<string>();
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
    execute: async (_, run) => begun.resolve(run.id),
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
  assert.equal(await begun, aRun.id);
  assert.deepEqual(waiting, []);
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
  assert.equal(await begun, aRun.id);
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

test('a run is one deeper than the run that asked for it, and a first one is at depth one', async (t) => {
  const { executor, scope } = rigOfOne(t);
  assert.equal((await scope).depth, 1);
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
  // The first sweep renews the lease.
  await turnEventLoop();
  const atStart = asked();
  await requireLease?.();
  assert.equal(asked(), atStart);
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

interface Execution {
  run: LeasedRun;
  scope: Scope;
  /** Ends it as a run that was suspended; it fails when its signal aborts. */
  suspend(): void;
  fail(error: Error): void;
}

const turnEventLoop = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
};

/** An executor whose runs the test suspends and resumes, and whose database answers what the test says. */
function makeTestExecutor(
  t: TestContext,
  answers: {
    lost?: () => Promise<string[]>;
    renew?: (ids: readonly string[]) => string[];
    releaseRun?: () => Promise<number>;
    release?: () => Promise<number>;
  } = {},
) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const executions: Execution[] = [];
  const open = new Set<string>();
  const stored: string[] = [];
  const lapsed: LeasedRun[] = [];
  const executor = makeExecutor<LeasedRun, undefined>({
    ...{ db: {} as Database, log: makeLog('silent'), topic: 'run', node_id: 'n' },
    notifier: { on: () => () => {}, notify: async () => {} } as unknown as Notifier,
    runLog: {
      ...{ open: (id) => void open.add(id), close: (id) => void open.delete(id) },
      ...{ isEnding: () => false, leave() {} },
    },
    slots: makeSlots({ max_runs: 5, max_runs_per_workspace: 5 }),
    queue: {
      lostRuns: answers.lost ?? (async () => []),
      ...{ waitingRuns: async () => [], someWait: async () => false },
      renewLeases: async (_, __, ids) => (answers.renew?.(ids) ?? []).map((id) => ({ id, stop_requested: false })),
      takeOver: async () => lapsed.splice(0),
      releaseRun: answers.releaseRun ?? (async () => 0),
      releaseRuns: answers.release ?? (async () => 0),
      ...{ lapseAll: async () => 0, requestStop: async () => undefined, resumeRun: async () => aRun },
    },
    async execute(scope, run, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      executions.push({ run, scope, suspend: resolve, fail: reject });
      await promise.catch((error) => {
        if (signal.reason instanceof LeaseLost) throw signal.reason;
        // As an agent run does, which stores a stop.
        if (open.has(run.id)) stored.push('stopped');
        throw error;
      });
    },
    begin: async (run) => run,
  });
  const start = () => executor.start(aRun, { workspace_id: 'w', release() {} });
  const tick = async (ms: number) => {
    t.mock.timers.tick(ms);
    await turnEventLoop();
  };
  return { executor, executions, stored, lapsed, start, tick };
}

test('keeps a run that was resumed here while the database answered that it was suspended', async (t) => {
  const answer = Promise.withResolvers<string[]>();
  const { executor, executions, start, tick } = makeTestExecutor(t, { lost: () => answer.promise });
  start();
  await tick(3000);
  executions[0]?.suspend();
  await turnEventLoop();
  start();
  await turnEventLoop();
  answer.resolve([aRun.id]);
  await turnEventLoop();
  assert.equal(executions.length, 2);
  assert.equal(executions[1]?.scope.signal.aborted, false);
  await executor.close();
});

test('stops a lost execution when the run comes back to the node, and starts it anew', async (t) => {
  const { executor, executions, start } = makeTestExecutor(t);
  start();
  const [first] = executions;
  start();
  assert.ok(first?.scope.signal.reason instanceof LeaseLost);
  await assert.rejects(async () => first?.scope.requireLease?.(), LeaseLost);
  await turnEventLoop();
  await executions[1]?.scope.requireLease?.();
  assert.equal(executions.length, 2);
  await executor.close();
});

test('starts its own run anew at once when its expired lease could not be renewed', async (t) => {
  const { executor, executions, lapsed, start, tick } = makeTestExecutor(t);
  start();
  lapsed.push({ ...aRun, last_seq: 100_000 });
  await tick(2000);
  assert.ok(executions[0]?.scope.signal.reason instanceof LeaseLost);
  assert.equal(executions[1]?.run.last_seq, 100_000);
  await executor.close();
});

test('goes on with its own run when its lease has expired and no other node took it', async (t) => {
  const renew = (ids: readonly string[]) => {
    lapsed.splice(0);
    return [...ids];
  };
  const { executor, executions, lapsed, start, tick } = makeTestExecutor(t, { renew });
  start();
  lapsed.push(aRun);
  // The sweep comes before the next renewal.
  await tick(2000);
  assert.equal(executions.length, 1);
  assert.equal(executions[0]?.scope.signal.aborted, false);
  await executor.close();
});

test('does not release a run after an outage when this node has taken it over meanwhile', async (t) => {
  const outage = await makeOutage();
  let attempts = 0;
  const releaseRun = async () => {
    attempts++;
    throw outage;
  };
  const { executor, executions, lapsed, start, tick } = makeTestExecutor(t, { releaseRun });
  start();
  executions[0]?.fail(outage);
  await turnEventLoop();
  assert.equal(attempts, 1);
  lapsed.push({ ...aRun, last_seq: 100_000 });
  await tick(2000);
  for (let waits = 0; executions.length < 2 && waits < 100; waits++) await sleep(10);
  assert.equal(executions[1]?.run.last_seq, 100_000);
  assert.equal(attempts, 1);
  await executor.close();
});

test('stores no stop of a run when the shutdown could not release it', async (t) => {
  const failure = new Error('no');
  const { executor, executions, stored, start } = makeTestExecutor(t, { release: () => Promise.reject(failure) });
  start();
  await executor.close();
  assert.ok(executions[0]?.scope.signal.aborted);
  assert.deepEqual(stored, []);
});
