import type { TraceStep } from '@atrium/contract/traces/schema.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface RunRow {
  run_id: string;
  kind: 'conversation' | 'workflow';
  conversation_id: string | null;
  workflow_id: string | null;
  parent_run_id: string | null;
  parent_step_id: string | null;
  agent_id: string | null;
  agent_name: string | null;
  version_id: string | null;
  status: string;
  created_at: string;
  started_at: string;
  finished_at: string | null;
  actor_id: string | null;
}

export type CallRow = Omit<
  Extract<TraceStep, { kind: 'model' }>,
  'kind' | 'error' | 'prompt' | 'parent_id' | 'run_id' | 'running' | 'error_message' | 'answer'
> & { parent_step_id: string | null };

const runColumns = sql`run_id, kind, conversation_id, workflow_id, parent_run_id, parent_step_id, assistant_id as agent_id,
  agent_name, assistant_version_id as version_id, status, created_at,
  coalesce(started_at, created_at) as started_at, finished_at, actor_id`;

export const findRun = (db: Db, workspace_id: string, run_id: string) =>
  db.row<RunRow>(sql`select ${runColumns} from run_labels where workspace_id = ${workspace_id} and run_id = ${run_id}`);

export const listChildRuns = (db: Db, workspace_id: string, run_id: string, limit: number) =>
  db.rows<RunRow>(sql`
    select ${runColumns} from run_labels where workspace_id = ${workspace_id} and parent_run_id = ${run_id}
    order by run_id limit ${limit}`);

export const listCalls = (db: Db, workspace_id: string, run_id: string) =>
  db.rows<CallRow>(sql`
    select id, at as started_at, ms, purpose, model, ttft_ms, status, input_tokens, cached_tokens, output_tokens,
      reasoning_tokens, cost, estimated, parent_step_id, first_try_id, attempt
    from model_calls where workspace_id = ${workspace_id} and run_id = ${run_id}`);

export const findCall = (db: Db, workspace_id: string, run_id: string, id: string) =>
  db.row<{ model: string; agent_id: string | null; version_id: string | null }>(sql`
    select model, agent_id, version_id from model_calls
    where workspace_id = ${workspace_id} and run_id = ${run_id} and id = ${id}`);

export interface PromptRow {
  workspace_id: string;
  call_id: string;
  run_id: string;
  sealed: string;
}

/** Prompts of runs that were deleted meanwhile are left out. The runs are looked up by their keys: `db` is `grouped`. */
export const insertPrompts = (db: Db, rows: readonly PromptRow[]) => {
  const of = (field: keyof PromptRow) => rows.map((row) => row[field]);
  return db.run(sql`
    insert into call_prompts (workspace_id, call_id, conversation_id, workflow_run_id, run_id, sealed)
    select own.workspace_id, own.call_id, run.conversation_id, case when run.kind = 'workflow' then run.run_id end,
      own.run_id, own.sealed
    from unnest(${of('workspace_id')}::uuid[], ${of('call_id')}::uuid[], ${of('run_id')}::uuid[], ${of('sealed')}::text[])
        as own (workspace_id, call_id, run_id, sealed)
      cross join lateral (
        select r.kind, r.run_id, r.conversation_id from run_labels r
        where r.workspace_id = own.workspace_id and r.run_id = own.run_id offset 0) run
    on conflict do nothing`);
};

export const listPromptIds = async (db: Db, workspace_id: string, run_id: string) =>
  (
    await db.rows<Pick<PromptRow, 'call_id'>>(sql`
      select call_id from call_prompts where workspace_id = ${workspace_id} and run_id = ${run_id}`)
  ).map(({ call_id }) => call_id);

export const listPrompts = (db: Db, workspace_id: string, run_id: string, call_ids: readonly string[]) =>
  db.rows<Pick<PromptRow, 'call_id' | 'sealed'>>(sql`
    select call_id, sealed from call_prompts
    where workspace_id = ${workspace_id} and run_id = ${run_id} and call_id = any(${[...call_ids]}::uuid[])`);

/** The bytes that the prompts of a workspace take on the disk. */
export const measurePrompts = async (db: Db, workspace_id: string) =>
  (
    await db.one<{ bytes: number }>(sql`
      select coalesce(sum(pg_column_size(sealed)), 0)::bigint as bytes from call_prompts where workspace_id = ${workspace_id}`)
  ).bytes;

export const deleteOldPrompts = (db: Db, days: number) =>
  db.run(sql`delete from call_prompts where created_at < now() - make_interval(days => ${days}::int)`);

export const deletePrompts = (db: Db, workspace_id: string, run_ids: readonly string[]) =>
  db.run(sql`delete from call_prompts where workspace_id = ${workspace_id} and run_id = any(${[...run_ids]}::uuid[])`);
