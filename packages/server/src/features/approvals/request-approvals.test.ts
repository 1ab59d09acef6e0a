import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { effectiveSettings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import { z } from 'zod';
import { openStep, waits } from '../runs/loop/progress.ts';
import { defineTool } from '../tools/service.ts';
import { makeApprovalRequester } from './request-approvals.ts';
import type { CoveringApproval, RequestRow } from './request-store.ts';

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

test('an approval of a tool covers later calls while the same people are named to decide', async () => {
  const call = { type: 'tool-call' as const, id: 'c', name: 'web_send', input: {} };
  const approvers = [crypto.randomUUID()];
  /** What is said of the call, for those who are named by the entry for all tools of its kind. */
  async function events(tools: object[], covering: CoveringApproval[]) {
    const consult = makeApprovalRequester({
      tools: [{ ...tool('web_send'), sends: true }],
      settings: effectiveSettings({ tools } as SparseSettings),
      taintAt: () => new Set(['private', 'untrusted']),
      ...{ egress_approval: 'on', approval_timeout: 60, requests: async () => [], covering: async () => covering },
    });
    const said: RunEvent[] = [];
    for await (const event of consult(openStep(1, '', [call]))) said.push(event);
    return said;
  }
  const [asked] = await events([], []);
  assert.ok(asked?.type === 'approval-request' && asked.definition);
  const shared = { id: 'a', tool: 'web_send', scope: 'tool' as const, recipient: null, decided_by: 'ada' };
  const covering = [{ ...shared, definition: asked.definition, definitions: null, approvers: [], approver_groups: [] }];
  const named = [{ type: 'web', approvers }];
  const typesOf = async (...given: Parameters<typeof events>) => (await events(...given)).map(({ type }) => type);
  assert.deepEqual(await typesOf([], covering), ['approval-covered']);
  assert.deepEqual(await typesOf(named, covering), ['approval-request']);
  const byThem = covering.map((approval) => ({ ...approval, approvers }));
  assert.deepEqual(await typesOf(named, byThem), ['approval-covered']);
});
