import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { makeOutage } from '../../../lib/outages/testing.ts';
import { type Finding, makeGuard } from './guard.ts';

const guardWith = (look: () => Promise<Finding>) => makeGuard(effectiveSettings({}), { asks: () => true, look });
const passing = async (): Promise<Finding> => ({ objections: [], ms: 0 });

/** The types of the events before the error, and the error. */
async function eventsUntilError(events: AsyncIterable<RunEvent>) {
  const types: string[] = [];
  try {
    for await (const { type } of events) types.push(type);
  } catch (error) {
    return { types, error };
  }
  return { types };
}

async function* speak(error: Error): AsyncGenerator<RunEvent> {
  yield { type: 'step-start', step: 1 };
  yield { type: 'text-delta', step: 1, text: 'Hello' };
  throw error;
}

for (const [what, error] of [
  ['the database is away', await makeOutage()],
  ['the run went to another node', new LeaseLost()],
] as const) {
  test(`emits no verdict on the input when ${what} during the check`, async () => {
    const guard = guardWith(() => Promise.reject(error));
    assert.deepEqual(await eventsUntilError(guard.check('input', 0, 'Hello')), { types: [], error });
  });

  test(`emits no verdict on the output when ${what} before its check`, async () => {
    const guard = guardWith(passing);
    const types = ['step-start', 'text-delta'];
    assert.deepEqual(await eventsUntilError(guard.watch(speak(error))), { types, error });
  });
}

test('emits a failed verdict when a text can’t be checked for another reason', async () => {
  const error = new Error('no');
  const guard = guardWith(() => Promise.reject(error));
  assert.deepEqual(await eventsUntilError(guard.check('input', 0, 'Hello')), { types: ['guardrail'], error });
  const types = ['step-start', 'text-delta', 'guardrail'];
  assert.deepEqual(await eventsUntilError(guard.watch(speak(error))), { types, error });
});

test('removes the unchecked text of the node before for good when the step is repeated', async () => {
  async function* repeatStep(): AsyncGenerator<RunEvent> {
    yield { type: 'attempt-start', step: 1, attempt: 2, model: 'a/x', discard: true };
  }
  const [start] = await Array.fromAsync(guardWith(passing).watch(repeatStep()));
  assert.equal(start?.type === 'attempt-start' && start.withheld, true);
});
