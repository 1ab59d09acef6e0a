import { createHash } from 'node:crypto';
import { type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { plainText } from '../../../lib/text/plain-text.ts';
import { withActors } from '../../actors/service.ts';
import type { Alongside } from '../ports.ts';
import type { RunRow } from '../store.ts';
import { insertToolCall, listToolCalls, type NewToolCall, type ToolCallFilter } from './tool-call-store.ts';

type Result = Extract<RunEvent, { type: 'tool-result' }>;

const hashOf = (input: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(input) ?? '')
    .digest('hex');

function lineOf(run: RunRow, result: Result, seen: readonly RunEvent[]): NewToolCall {
  const { step, id: call_id, name: tool, outcome, ms = 0, cost = 0 } = result;
  const call = seen.findLast((event) => event.type === 'tool-call' && event.step === step && event.id === call_id);
  const decision = seen.findLast(
    (event) =>
      (event.type === 'approval-decision' || event.type === 'approval-covered') &&
      event.step === step &&
      event.call_id === call_id,
  );
  const approval =
    decision?.type === 'approval-covered' || (decision?.type === 'approval-decision' && decision.decision === 'approve')
      ? decision
      : null;
  const { actor } = run.principal;
  return {
    id: newId(),
    conversation_id: run.conversation_id,
    run_id: run.id,
    step,
    call_id: plainText(call_id),
    tool: plainText(tool),
    actor_kind: actor.kind,
    actor_id: actor.id,
    input_hash: hashOf(call?.type === 'tool-call' ? call.input : null),
    outcome: outcome ?? (result.is_error ? 'error' : 'ok'),
    approved_by: approval?.by ?? null,
    approval_id: approval?.id ?? null,
    ms,
    cost,
  };
}

/** Stores one line for each tool call, in the transaction that stores the events of the run. */
export function recordToolCalls(
  run: RunRow,
  events: readonly RunEvent[],
  seen: readonly RunEvent[],
): Alongside | undefined {
  const lines = events.flatMap((event) => (event.type === 'tool-result' ? [lineOf(run, event, seen)] : []));
  if (lines.length === 0) return undefined;
  return async (tx) => {
    for (const line of lines) await insertToolCall(tx, run.group_id, line);
  };
}

export type ToolCalls = ReturnType<typeof makeToolCalls>;

/** The audit log of tool calls. */
export const makeToolCalls = ({ db }: { db: Database }) => ({
  async list(scope: Scope, query: PageQuery & ToolCallFilter) {
    const window = pageOf(query);
    const { rows, total, last, facets } = await listToolCalls(db, scope.workspace_id, query, window);
    const named = await withActors(db, scope, rows, 'actor_id', 'approved_by');
    const items = named.map(({ actor_id_actor: actor, ...row }) => ({ ...row, actor }));
    return { ...pageAnswer(items, total, window, last), ...(facets && { facets }) };
  },
});
