import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import { z } from 'zod';
import { openStep, waits } from '../runs/loop/progress.ts';
import { defineTool } from '../tools/service.ts';
import { makeApprovalRequester } from './request-approvals.ts';
import type { RequestRow } from './request-store.ts';

const tool = (name: string) =>
  defineTool({
    ...{ tool: name, description: 'x', input: z.object({}), output: z.string(), repeatable: true },
    run: async () => 'done',
  });
const calls = ['first_do', 'later_do'].map((name) => ({ type: 'tool-call' as const, id: name, name, input: {} }));
const [first, later] = calls as [(typeof calls)[0], (typeof calls)[0]];

test('requests approval for a call when a settings change requires it after earlier calls were approved', async () => {
  // After a crash: the first call was approved and may be running; the settings now require approval of the second too.
  const open = openStep(1, '', calls);
  const decision = { type: 'approval-decision' as const, step: 1, id: 'a', call_id: first.id, note: null, by: 'ada' };
  open.asked.set(first.id, { id: 'a', answer: { ...decision, decision: 'approve' } });
  open.resumed = true;
  let rows: RequestRow[] = [];
  const consult = makeApprovalRequester({
    tools: [tool('first_do'), tool('later_do')],
    settings: effectiveSettings({ tools: [{ type: 'later', requires_approval: true }] }),
    taintAt: () => new Set(),
    ...{ egress_approval: 'on' as const, approval_timeout: 60, requests: async () => rows, covering: async () => [] },
  });
  const told = async () => {
    const events: RunEvent[] = [];
    for await (const event of consult(open)) events.push(event);
    return events.map(({ type }) => type);
  };
  assert.deepEqual(await told(), ['approval-request']);
  assert.deepEqual([waits(open, first), waits(open, later)], [false, true]);
  assert.deepEqual(await told(), []);
  assert.equal(waits(open, later), true);

  const id = open.asked.get(later.id)?.id ?? '';
  rows = [{ id, kind: 'approval', status: 'approved', note: null, decided_by: 'ada' } as RequestRow];
  assert.deepEqual(await told(), ['approval-decision', 'run-resume']);
  assert.equal(waits(open, later), false);
  assert.deepEqual(await told(), []);
});
