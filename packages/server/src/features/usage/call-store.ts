import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { ModelCallRecord } from '../model-calls/ports.ts';

/** A call as it is kept. */
export interface CallRow {
  id: string;
  workspace_id: string;
  at: string;
  purpose: string;
  model: string;
  agent_id: string | null;
  version_id: string | null;
  conversation_id: string | null;
  run_id: string | null;
  actor_kind: string | null;
  actor_id: string | null;
  /** Null: the end user of the conversation, if there is one. */
  user_id: string | null;
  /** Who is signed in, or owns the key or trigger. */
  person_id: string | null;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  cost: number | null;
  ms: number;
  ttft_ms: number | null;
  status: ModelCallRecord['status'];
  estimated: boolean;
  /** The step of its run that it was made in; null: the run itself. */
  parent_step_id: string | null;
  /** The first try of the question that it is a try of. */
  first_try_id: string | null;
  attempt: number;
}

const names = sql`workspace_id, id, at, purpose, model, agent_id, version_id, conversation_id, run_id, actor_kind,
  actor_id, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, ms, ttft_ms, status, estimated, user_id,
  person_id, parent_step_id, first_try_id, attempt`;

const fromCall = sql`call.workspace_id, call.id, call.at, call.purpose, call.model, call.agent_id, call.version_id,
  call.conversation_id, call.run_id, call.actor_kind, call.actor_id, call.input_tokens, call.cached_tokens,
  call.output_tokens, call.reasoning_tokens, call.cost, call.ms, call.ttft_ms, call.status, call.estimated,
  coalesce(call.user_id,
    (select c.user_id from conversations c where c.workspace_id = call.workspace_id and c.id = call.conversation_id)),
  call.person_id, call.parent_step_id, call.first_try_id, call.attempt`;

const given = (rows: readonly CallRow[]) => sql`
  json_to_recordset(${JSON.stringify(rows)}::json) as call (workspace_id uuid, id uuid, at timestamptz, purpose text,
    model text, agent_id uuid, version_id uuid, conversation_id uuid, run_id uuid, actor_kind text, actor_id uuid, user_id uuid,
    person_id uuid,
    input_tokens bigint, cached_tokens bigint, output_tokens bigint, reasoning_tokens bigint, cost double precision,
    ms integer, ttft_ms integer, status text, estimated boolean, parent_step_id text,
    first_try_id uuid, attempt smallint)`;

const counted = sql`workspace_id, run_id, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost`;

/** Adds the calls that were just stored to the totals of their runs: in the same statement, so that each counts once. */
const addToTotals = sql`
  insert into run_totals as known (workspace_id, run_id, calls, input_tokens, cached_tokens, output_tokens,
    reasoning_tokens, cost)
  select workspace_id, run_id, count(*), sum(input_tokens), sum(cached_tokens), sum(output_tokens),
    sum(reasoning_tokens), sum(cost)
  from spent where run_id is not null group by 1, 2 order by 1, 2
  on conflict (workspace_id, run_id) do update set calls = known.calls + excluded.calls,
    input_tokens = known.input_tokens + excluded.input_tokens,
    cached_tokens = known.cached_tokens + excluded.cached_tokens,
    output_tokens = known.output_tokens + excluded.output_tokens,
    reasoning_tokens = known.reasoning_tokens + excluded.reasoning_tokens,
    cost = coalesce(known.cost + excluded.cost, known.cost, excluded.cost)`;

/** A part of the statement that writes to the logs of runs: the calls of those in `held` are kept, with everything else. */
export const insertCallsStatement = (rows: readonly CallRow[]): Sql => sql`
    spent as (
      insert into model_calls (${names}) select ${fromCall} from held join ${given(rows)} on call.run_id = held.id
      on conflict do nothing
      returning ${counted}),
    totals as (${addToTotals})`;

/** Of a workspace that is gone nothing is kept. */
export const insertCalls = (db: Db, rows: readonly CallRow[]) =>
  db.run(sql`
    with spent as (
      insert into model_calls (${names}) select ${fromCall} from ${given(rows)}
      where exists (select 1 from workspaces where workspaces.id = call.workspace_id) on conflict do nothing
      returning ${counted})
    ${addToTotals}`);

/** Deletes calls that are older than `days`. The figures added up from them stay, and so do calls not yet added up. */
export const deleteOldCalls = (db: Db, days: number, limit: number) =>
  db.run(sql`
    delete from model_calls where (workspace_id, id) in (
      select workspace_id, id from model_calls
      where at < now() - make_interval(days => ${days}::int) and tx < (select tx from insight_mark) limit ${limit})`);
