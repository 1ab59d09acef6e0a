import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { ToolOutcomeKind } from '@atrium/contract/tools/tool-result.ts';
import type { Db } from '../../../db/database.ts';
import { type ListColumns, listConditions } from '../../../db/list-query.ts';
import { readPage } from '../../../db/read-page.ts';
import { literal, nothing, sql } from '../../../db/sql.ts';

/** A finished tool call. Its input is stored only as a hash. */
export interface ToolCallRow {
  id: string;
  group_id: string;
  conversation_id: string;
  assistant_id: string | null;
  run_id: string;
  step: number;
  call_id: string;
  tool: string;
  actor_kind: string;
  actor_id: string;
  input_hash: string;
  outcome: ToolOutcomeKind;
  approved_by: string | null;
  approval_id: string | null;
  ms: number;
  cost: number;
  created_at: string;
}

export type NewToolCall = Omit<ToolCallRow, 'created_at' | 'group_id' | 'assistant_id'>;

/** The agent is stored with the call, since the conversation may be deleted later. */
export const insertToolCall = (db: Db, workspace_id: string, row: NewToolCall) =>
  db.run(sql`
    insert into tool_calls (workspace_id, id, conversation_id, assistant_id, run_id, step, call_id, tool, actor_kind, actor_id,
      input_hash, outcome, approved_by, approval_id, ms, cost)
    values (${workspace_id}, ${row.id}, ${row.conversation_id},
      (select assistant_id from conversations where workspace_id = ${workspace_id} and id = ${row.conversation_id}),
      ${row.run_id}, ${row.step}, ${row.call_id}, ${row.tool},
      ${row.actor_kind}, ${row.actor_id}, ${row.input_hash}, ${row.outcome}, ${row.approved_by}, ${row.approval_id}, ${row.ms}, ${row.cost})`);

const listColumns: ListColumns = { id: sql`id`, created_at: sql`created_at`, ids_rise: true };

export interface ToolCallFilter extends ListFilter {
  run_id?: string | undefined;
  conversation_id?: string | undefined;
  assistant_id?: string | undefined;
  tool?: string | undefined;
  outcome?: ToolOutcomeKind | undefined;
}

export async function listToolCalls(
  db: Db,
  workspace_id: string,
  { run_id, conversation_id, assistant_id, tool, outcome, ...filter }: ToolCallFilter,
  window: PageWindow,
) {
  // The outcome is a literal, not a parameter: only then can PostgreSQL use the partial index on failed calls.
  const where = sql`workspace_id = ${workspace_id}
    ${run_id === undefined ? nothing : sql`and run_id = ${run_id}`}
    ${conversation_id === undefined ? nothing : sql`and conversation_id = ${conversation_id}`}
    ${assistant_id === undefined ? nothing : sql`and assistant_id = ${assistant_id}`}
    ${tool === undefined ? nothing : sql`and tool = ${tool}`}
    ${outcome === undefined ? nothing : sql`and outcome = ${literal(outcome)}`} ${listConditions(listColumns, filter)}`;
  return readPage<ToolCallRow>(db, {
    columns: sql`id, workspace_id as group_id, conversation_id, assistant_id, run_id, step, call_id, tool, actor_kind, actor_id, input_hash,
        outcome, approved_by, approval_id, ms, cost, created_at`,
    ...{ from: sql`tool_calls`, where, list: listColumns, window },
    facets: { tool: sql`tool`, outcome: sql`outcome`, assistant_id: sql`assistant_id` },
  });
}
