import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { makeLog } from '../lib/log.ts';
import { makeExecutor } from './executor.ts';
import type { LeasedRun } from './run-queue.ts';
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
