import type { Trace, TraceStep } from '@atrium/contract/traces/schema.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export type RunRow = Pick<
  Trace,
  'run_id' | 'conversation_id' | 'agent_id' | 'version_id' | 'status' | 'started_at' | 'finished_at'
>;

export type CallRow = Omit<Extract<TraceStep, { kind: 'model' }>, 'kind' | 'error' | 'prompt'>;

/** An event of a run's log; its data is JSON. */
export interface EventRow {
  seq: number;
  type: string;
  data: string;
  created_at: string;
}

export const findRun = (db: Db, workspace_id: string, run_id: string) =>
  db.row<RunRow>(sql`
    select r.id as run_id, r.conversation_id, c.assistant_id as agent_id, c.assistant_version_id as version_id, r.status,
      coalesce(r.started_at, r.created_at) as started_at, r.finished_at
    from runs r join conversations c on c.workspace_id = r.workspace_id and c.id = r.conversation_id
    where r.workspace_id = ${workspace_id} and r.id = ${run_id}`);

export const listCalls = (db: Db, workspace_id: string, run_id: string) =>
  db.rows<CallRow>(sql`
    select id, at as started_at, ms, purpose, model, ttft_ms, status, input_tokens, cached_tokens, output_tokens,
      reasoning_tokens, cost, estimated
    from model_calls where workspace_id = ${workspace_id} and run_id = ${run_id}`);

/** The events that tell when tools and guardrails ran. */
export const listStepEvents = (db: Db, workspace_id: string, run_id: string) =>
  db.rows<EventRow>(sql`
    select seq, type, data, created_at from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id}
      and type in ('tool-call', 'tool-result', 'guardrail') order by seq`);

export interface PromptRow {
  workspace_id: string;
  call_id: string;
  run_id: string;
  sealed: string;
}

/** Prompts of runs that were deleted meanwhile are left out. */
export const insertPrompts = (db: Db, rows: readonly PromptRow[]) =>
  db.run(sql`
    insert into call_prompts (workspace_id, call_id, conversation_id, workflow_run_id, run_id, sealed)
    select own.workspace_id, own.call_id, run.conversation_id, case when run.kind = 'workflow' then run.run_id end,
      own.run_id, own.sealed
    from json_to_recordset(${JSON.stringify(rows)}::json)
        as own (workspace_id uuid, call_id uuid, run_id uuid, sealed text)
      join run_labels run on run.workspace_id = own.workspace_id and run.run_id = own.run_id
    on conflict do nothing`);

export const listPrompts = (db: Db, workspace_id: string, run_id: string) =>
  db.rows<Pick<PromptRow, 'call_id' | 'sealed'>>(sql`
    select call_id, sealed from call_prompts where workspace_id = ${workspace_id} and run_id = ${run_id}`);

export const deleteOldPrompts = (db: Db, days: number) =>
  db.run(sql`delete from call_prompts where created_at < now() - make_interval(days => ${days}::int)`);

export const deletePrompts = (db: Db, workspace_id: string, run_ids: readonly string[]) =>
  db.run(sql`delete from call_prompts where workspace_id = ${workspace_id} and run_id = any(${[...run_ids]}::uuid[])`);
