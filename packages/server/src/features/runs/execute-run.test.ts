import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { LeaseLost } from '../../execution/run-queue.ts';
import { makeOutage } from '../../lib/outages/testing.ts';
import type { Scope } from '../../lib/scope.ts';
import { type ExecuteDeps, executeRun } from './execute-run.ts';
import type { RunRow } from './store.ts';

const verdict: RunEvent = {
  ...{ type: 'guardrail', stage: 'input', step: 0, ms: 0, objections: [], action: null, retracts: false },
};

for (const [what, error] of [
  ['the database is away', await makeOutage()],
  ['the run went to another node', new LeaseLost()],
] as const)
  test(`stores none of the pending events later when a run ends because ${what}`, async () => {
    const stored: string[] = [];
    const log = {
      show: () => {},
      append: async (_: string, __: string, events: readonly RunEvent[]) =>
        void stored.push(...events.map(({ type }) => type)),
    };
    const deps = {
      log,
      alongside: () => undefined,
      async *events(): AsyncGenerator<RunEvent> {
        yield verdict;
        throw error;
      },
    } as unknown as ExecuteDeps;
    const run = { id: 'r', group_id: 'w', last_seq: 0 } as RunRow;
    const { signal } = new AbortController();
    await assert.rejects(executeRun(deps, {} as Scope, run, signal), error);
    // Events are stored 30 ms after they were emitted.
    await sleep(80);
    assert.deepEqual(stored, []);
  });
