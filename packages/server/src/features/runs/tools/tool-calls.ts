import { createHash } from 'node:crypto';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { insertRequest, type NewRequest, withdrawRequests } from '../../approvals/request-store.ts';
import type { Alongside } from '../log/run-log.ts';
import type { RunRow } from '../store.ts';
import {
  insertToolCall,
  listToolCalls,
  type NewToolCall,
  type ToolCallFilter,
  type ToolCallRow,
} from './tool-call-store.ts';

type Result = Extract<RunEvent, { type: 'tool-result' }>;

const hashOf = (input: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(input) ?? '')
    .digest('hex');

/** A model may call anything by any name; a row takes what is a text. */
const plain = (text: string) => text.replaceAll('\0', '').toWellFormed().slice(0, 500);

function lineOf(run: RunRow, result: Result, seen: readonly RunEvent[]): NewToolCall {
  const { step, id: call_id, name: tool, outcome, ms = 0, cost = 0 } = result;
  const call = seen.findLast((event) => event.type === 'tool-call' && event.step === step && event.id === call_id);
  const decision = seen.findLast(
    (event) => event.type === 'approval-decision' && event.step === step && event.call_id === call_id,
  );
  const { actor } = run.principal;
  return {
    id: newId(),
    conversation_id: run.conversation_id,
    run_id: run.id,
    step,
    call_id: plain(call_id),
    tool: plain(tool),
    actor_kind: actor.kind,
    actor_id: actor.id,
    input_hash: hashOf(call?.type === 'tool-call' ? call.input : null),
    outcome: outcome ?? (result.is_error ? 'error' : 'ok'),
    approved_by: decision?.type === 'approval-decision' && decision.decision === 'approve' ? decision.by : null,
    ms,
    cost,
  };
}

function requestOf(run: RunRow, event: RunEvent): NewRequest | undefined {
  if (event.type !== 'approval-request' && event.type !== 'human-request') return undefined;
  const { id, call_id, name: tool, expires_at } = event;
  const asked =
    event.type === 'approval-request'
      ? {
          ...{ kind: 'approval' as const, arguments: JSON.stringify(event.input ?? null), reason: event.reason },
          four_eyes: event.four_eyes === true,
        }
      : {
          ...{ kind: 'question' as const, arguments: JSON.stringify({ question: event.question }), reason: null },
          four_eyes: false,
        };
  return {
    id,
    conversation_id: run.conversation_id,
    run_id: run.id,
    call_id: plain(call_id),
    tool,
    expires_at,
    ...asked,
  };
}

/**
 * What is stored with the events of a run, in their transaction: a line for each tool call, and a row for each thing that
 * people are asked, which is there exactly when the log says that they are.
 */
export function recordToolCalls(
  run: RunRow,
  events: readonly RunEvent[],
  seen: readonly RunEvent[],
): Alongside | undefined {
  const lines = events.flatMap((event) => (event.type === 'tool-result' ? [lineOf(run, event, seen)] : []));
  const asked = events.flatMap((event) => requestOf(run, event) ?? []);
  const isOver = events.some(({ type }) => type === 'run-end');
  const mayWait = isOver && seen.some(({ type }) => type === 'approval-request' || type === 'human-request');
  if (lines.length === 0 && asked.length === 0 && !mayWait) return undefined;
  return async (tx) => {
    for (const line of lines) await insertToolCall(tx, run.group_id, line);
    for (const request of asked) await insertRequest(tx, run.group_id, request);
    if (mayWait) await withdrawRequests(tx, run.group_id, run.id);
  };
}

export type ToolCalls = ReturnType<typeof makeToolCalls>;

/** The account of tool calls, for those who may audit. */
export const makeToolCalls = ({ db }: { db: Database }) => ({
  async list(scope: Scope, query: PageQuery & ToolCallFilter): Promise<Paged<ToolCallRow>> {
    const window = pageOf(query);
    const { rows, total } = await listToolCalls(db, scope.workspace_id, query, window);
    return pageAnswer(rows, total, window);
  },
});
