import type { Db } from '../../db/database.ts';
import { nothing, sql } from '../../db/sql.ts';
import type { ToolOutcomeKind } from '../../lib/tool.ts';

/** One tool call that came to a result. Of what it was called with there is only a hash. */
export interface ToolCallRow {
  id: string;
  group_id: string;
  conversation_id: string;
  run_id: string;
  step: number;
  call_id: string;
  tool: string;
  actor_kind: string;
  actor_id: string;
  input_hash: string;
  outcome: ToolOutcomeKind;
  approved_by: string | null;
  ms: number;
  cost: number;
  created_at: string;
}

export const insertToolCall = (db: Db, workspace_id: string, row: Omit<ToolCallRow, 'created_at' | 'group_id'>) =>
  db.run(sql`
    insert into tool_calls (workspace_id, id, conversation_id, run_id, step, call_id, tool, actor_kind, actor_id,
      input_hash, outcome, approved_by, ms, cost)
    values (${workspace_id}, ${row.id}, ${row.conversation_id}, ${row.run_id}, ${row.step}, ${row.call_id}, ${row.tool},
      ${row.actor_kind}, ${row.actor_id}, ${row.input_hash}, ${row.outcome}, ${row.approved_by}, ${row.ms}, ${row.cost})`);

export async function listToolCalls(
  db: Db,
  workspace_id: string,
  { size, offset, run_id }: { size: number; offset: number; run_id: string | undefined },
) {
  const from = sql`from tool_calls where workspace_id = ${workspace_id}
    ${run_id === undefined ? nothing : sql`and run_id = ${run_id}`}`;
  const [rows, count] = await Promise.all([
    db.rows<ToolCallRow>(sql`
      select id, workspace_id as group_id, conversation_id, run_id, step, call_id, tool, actor_kind, actor_id, input_hash,
        outcome, approved_by, ms, cost, created_at
      ${from} order by id desc limit ${size} offset ${offset}`),
    db.row<{ total: number }>(sql`select count(*) as total ${from}`),
  ]);
  return { rows, total: count?.total ?? 0 };
}
