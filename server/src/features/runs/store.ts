import type { Db } from '../../db/database.ts';
import { nothing, type Sql, sql } from '../../db/sql.ts';
import type { RunStatus } from '../conversations/schema.ts';
import { LeaseLost, type RunQueue, type StoredPrincipal } from './carried-run.ts';
import type { NumberedEvent, RunError, RunEvent } from './events.ts';
import { afterRetractions, isRetraction } from './retraction.ts';

export { LeaseLost };

export interface RunRow {
  id: string;
  group_id: string;
  kind: 'conversation';
  conversation_id: string;
  user_message_id: string;
  message_id: string;
  status: RunStatus;
  input: Record<string, unknown>;
  output: Record<string, unknown> | null;
  error: RunError | null;
  stop_requested: boolean;
  /** Who it acts for, should another node take it over. */
  principal: StoredPrincipal;
  /** Whether the user's message stands in the conversation already. */
  said: boolean;
  last_seq: number;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

const columns = sql`id, workspace_id as group_id, kind, conversation_id, user_message_id, message_id, status, input,
  output, error, stop_requested, principal, said, last_seq, created_at, started_at, finished_at`;

export interface NewRun {
  id: string;
  actor_id: string;
  principal: StoredPrincipal;
  said: boolean;
  request_key: { key: string; fingerprint: Buffer } | undefined;
  conversation_id: string;
  user_message_id: string;
  message_id: string;
  status: 'queued' | 'running';
  input: Record<string, unknown>;
}

/** How long a node may be silent before its runs are taken over. */
const lease = sql`now() + interval '10 seconds'`;

const inserting = (workspace_id: string, node_id: string, run: NewRun) => sql`
    insert into runs (workspace_id, id, kind, conversation_id, user_message_id, message_id, status, input, node_id,
      leased_until, started_at, actor_id, principal, said, request_key, request_fingerprint)
    select ${workspace_id}::uuid, ${run.id}::uuid, 'conversation', ${run.conversation_id}::uuid,
      ${run.user_message_id}::uuid, ${run.message_id}::uuid, ${run.status}::text, ${JSON.stringify(run.input)}::json,
      ${node_id}::uuid, ${lease}, case when ${run.status}::text = 'running' then now() end, ${run.actor_id}::uuid,
      ${JSON.stringify(run.principal)}::json, ${run.said}::boolean, ${run.request_key?.key ?? null}::text,
      ${run.request_key?.fingerprint ?? null}::bytea`;

/** The row as it was just inserted; what the database adds are times. */
function insertedRow(group_id: string, run: NewRun, created_at: string): RunRow {
  const { actor_id: _, request_key: __, ...rest } = run;
  const started_at = run.status === 'running' ? created_at : null;
  const none = { output: null, error: null, stop_requested: false, last_seq: 0, finished_at: null };
  return { ...rest, ...none, group_id, kind: 'conversation', created_at, started_at };
}

export async function insertRun(db: Db, workspace_id: string, node_id: string, run: NewRun): Promise<RunRow> {
  const row = await db.row<{ created_at: string }>(sql`${inserting(workspace_id, node_id, run)} returning created_at`);
  return insertedRow(workspace_id, run, row?.created_at as string);
}

/** That nothing is being answered in this conversation, nor waits to be. */
export const nothingRuns = (workspace_id: string, conversation_id: string) => sql`
  not exists (select 1 from runs
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and finished_at is null)`;

/** Stores what the user says and the run that answers it, in one statement; undefined when `saying` had no effect. */
export async function insertWith(
  db: Db,
  saying: Sql,
  workspace_id: string,
  node_id: string,
  run: NewRun,
): Promise<RunRow | undefined> {
  const row = await db.row<{ created_at: string }>(sql`
    with ${saying} ${inserting(workspace_id, node_id, run)} from counted returning created_at`);
  return row && insertedRow(workspace_id, run, row.created_at);
}

export const findRun = (db: Db, workspace_id: string, id: string) =>
  db.row<RunRow>(sql`select ${columns} from runs where workspace_id = ${workspace_id} and id = ${id}`);

export const hasRun = async (db: Db, workspace_id: string, id: string) =>
  (await db.row(sql`select 1 from runs where workspace_id = ${workspace_id} and id = ${id}`)) !== undefined;

/** The run that an earlier request with this Idempotency-Key began. */
export const runOfRequest = (db: Db, workspace_id: string, actor_id: string, key: string) =>
  db.row<RunRow & { request_fingerprint: Buffer }>(sql`
    select ${columns}, request_fingerprint from runs
    where workspace_id = ${workspace_id} and actor_id = ${actor_id} and request_key = ${key}
      and created_at > now() - interval '24 hours'`);

/** An Idempotency-Key is kept for a day and can then be used anew. */
export const forgetOldRequest = (db: Db, workspace_id: string, actor_id: string, key: string) =>
  db.run(sql`
    update runs set request_key = null
    where workspace_id = ${workspace_id} and actor_id = ${actor_id} and request_key = ${key}
      and created_at <= now() - interval '24 hours'`);

/** The run of a conversation that is not over. */
export const activeRun = (db: Db, workspace_id: string, conversation_id: string) =>
  db.row<RunRow>(sql`
    select ${columns} from runs
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id}
      and status in ('running', 'awaiting_human_feedback')`);

/** A run that nobody carries because it waits for people, carried by this node from now on. */
export const resumeRun = (db: Db, workspace_id: string, id: string, node_id: string) =>
  db.row<RunRow>(sql`
    update runs set status = 'running', node_id = ${node_id}, leased_until = ${lease}
    where workspace_id = ${workspace_id} and id = ${id} and status = 'awaiting_human_feedback'
    returning ${columns}`);

/** Whether a run waits for people since this event. */
export const isPausedAt = async (db: Db, workspace_id: string, id: string, seq: number) =>
  (await db.row(sql`
    select 1 from runs where workspace_id = ${workspace_id} and id = ${id} and status = 'awaiting_human_feedback'
      and last_seq = ${seq}`)) !== undefined;

/** The number of the last event with which a run began to wait; 0 when there is none. */
export const lastPause = async (db: Db, workspace_id: string, run_id: string): Promise<number> =>
  (
    await db.row<{ seq: number | null }>(sql`
      select max(seq) as seq from run_events
      where workspace_id = ${workspace_id} and run_id = ${run_id} and type = 'run-pause'`)
  )?.seq ?? 0;

/** Ends a run that waits for people, with these last events; undefined when it does not wait any more. */
export const endPaused = (
  db: Db,
  workspace_id: string,
  id: string,
  status: 'completed' | 'stopped',
  events: readonly RunEvent[],
) => {
  const types = events.map(({ type }) => type);
  const data = events.map(({ type: _, ...rest }) => JSON.stringify(rest));
  return db.row<RunRow>(sql`
    with held as (
      update runs set status = ${status}, finished_at = now(), last_seq = last_seq + ${events.length}::int
      where workspace_id = ${workspace_id} and id = ${id} and status = 'awaiting_human_feedback' returning ${columns}),
    added as (
      insert into run_events (workspace_id, run_id, seq, type, data)
      select ${workspace_id}, held.id, held.last_seq - ${events.length}::int + place, type, data
      from held, unnest(${types}::text[], ${data}::text[]) with ordinality as event (type, data, place))
    select * from held`);
};

/** One that is under way or waits in line. */
export const unfinishedRun = (db: Db, workspace_id: string, conversation_id: string) =>
  db.row<RunRow>(sql`
    select ${columns} from runs
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and finished_at is null
    order by id limit 1`);

export const latestRun = (db: Db, workspace_id: string, conversation_id: string) =>
  db.row<RunRow>(sql`
    select ${columns} from runs where workspace_id = ${workspace_id} and conversation_id = ${conversation_id}
    order by id desc limit 1`);

export async function listRuns(db: Db, workspace_id: string, { size, offset }: { size: number; offset: number }) {
  const [rows, count] = await Promise.all([
    db.rows<RunRow>(sql`
      select ${columns} from runs where workspace_id = ${workspace_id} order by id desc limit ${size} offset ${offset}`),
    db.row<{ total: number }>(sql`select count(*) as total from runs where workspace_id = ${workspace_id}`),
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** Undefined when it does not wait any more. */
export const startRun = (db: Db, workspace_id: string, id: string, node_id: string) =>
  db.row<RunRow>(sql`
    update runs set status = 'running', node_id = ${node_id}, leased_until = ${lease}, started_at = now()
    where workspace_id = ${workspace_id} and id = ${id} and status = 'queued'
    returning ${columns}`);

/** Runs whose node has been silent for too long, ours from now on. */
const takeOver = (db: Db, node_id: string, limit: number) =>
  db.rows<RunRow>(sql`
    update runs set node_id = ${node_id}, leased_until = ${lease}
    where (workspace_id, id) in (
      select workspace_id, id from runs where status = 'running' and leased_until < now()
      order by leased_until limit ${limit} for update skip locked)
    returning ${columns}`);

/** The longest waiting run of each workspace that could begin now: no other of its conversation is under way. */
const waitingRuns = (db: Db) =>
  db.rows<RunRow>(sql`
    select distinct on (workspace_id) ${columns} from runs as waiting
    where status = 'queued' and not exists (
      select 1 from runs as active
      where active.workspace_id = waiting.workspace_id and active.conversation_id = waiting.conversation_id
        and active.status in ('running', 'awaiting_human_feedback'))
    order by workspace_id, id`);

const someWait = async (db: Db) =>
  (await db.row(sql`select 1 from runs where status = 'queued' limit 1`)) !== undefined;

/** Answers how the run stands; one that waits for people is to be ended by whoever asks, for nobody else carries it. */
export const requestStop = (db: Db, workspace_id: string, id: string) =>
  db.row<{ status: RunStatus }>(sql`
    update runs set stop_requested = true where workspace_id = ${workspace_id} and id = ${id} returning status`);

/**
 * Ends a run that waits, with these events, before its turn and before its message was said; false when it is too late
 * for that. The conversation has not heard of it.
 */
export async function withdrawRun(db: Db, workspace_id: string, id: string, events: readonly RunEvent[]) {
  const types = events.map(({ type }) => type);
  const data = events.map(({ type: _, ...rest }) => JSON.stringify(rest));
  const row = await db.row(sql`
    with held as (
      update runs set status = 'stopped', stop_requested = true, finished_at = now(), last_seq = ${events.length}::int,
        node_id = null, leased_until = null
      where workspace_id = ${workspace_id} and id = ${id} and status = 'queued' and not said returning id),
    added as (
      insert into run_events (workspace_id, run_id, seq, type, data)
      select ${workspace_id}, held.id, place, type, data
      from held, unnest(${types}::text[], ${data}::text[]) with ordinality as event (type, data, place))
    select id from held`);
  return row !== undefined;
}

/** Nobody carries any run: for a node that knows itself alone. */
const lapseAll = (db: Db) => db.run(sql`update runs set leased_until = now() where status = 'running'`);

/** A node that leaves lets go of its runs: whoever looks next takes them over. */
const releaseRuns = (db: Db, node_id: string) =>
  db.run(sql`
    update runs set node_id = null, leased_until = now() where node_id = ${node_id} and status = 'running'`);

/**
 * Of the runs that a node carries, those that are still its own; they stay so for another while. One that is just being
 * written to is left for the next time: waiting for it would hold up all others.
 */
const renewLeases = (db: Db, node_id: string, ids: readonly string[]) =>
  db.rows<{ id: string; stop_requested: boolean }>(sql`
    update runs set leased_until = ${lease}
    where (workspace_id, id) in (
      select workspace_id, id from runs
      where id = any(${ids}::uuid[]) and node_id = ${node_id} and status = 'running' for update skip locked)
    returning id, stop_requested`);

/** The node that carries a run, and how far it has come. */
export interface Holder {
  node_id: string;
  last_seq: number;
}

/** How a run ends, and the parts of a statement that store its reply along. */
export interface RunEnding {
  status: RunStatus;
  error: RunError | null;
  /** By the clock that gives the conversation's etag: an etag that has seen the end is not older than it. */
  finished_at: string | null;
  reply: { locked: Sql; appended: Sql };
  /** What else is stored with the end; begins with its comma. */
  besides: Sql;
}

/**
 * Appends with the numbers the run's own row counts, and with the last of them ends the run. Refused when the run is
 * not this node's any more, or was another's in between: a node that was thought dead and comes back finds it taken.
 */
export async function appendEvents(
  db: Db,
  workspace_id: string,
  run_id: string,
  { node_id, last_seq }: Holder,
  told: readonly RunEvent[],
  end?: RunEnding,
  along: Sql = nothing,
): Promise<NumberedEvent[]> {
  const events = afterRetractions(told);
  const types = events.map(({ type }) => type);
  const data = events.map(({ type: _, ...rest }) => JSON.stringify(rest));
  const ended = end
    ? sql`, status = ${end.status}, error = ${end.error && JSON.stringify(end.error)}, finished_at = ${end.finished_at},
        node_id = null, leased_until = null`
    : nothing;
  const row = await db.row(sql`
    with ${end ? sql`${end.reply.locked},` : nothing}
    held as (
      update runs set last_seq = last_seq + ${events.length}::int ${ended} ${end ? sql`from locked` : nothing}
      where workspace_id = ${workspace_id} and id = ${run_id} and node_id = ${node_id} and last_seq = ${last_seq}
      returning id),
    added as (
      insert into run_events (workspace_id, run_id, seq, type, data)
      select ${workspace_id}, held.id, ${last_seq}::int + place, type, data
      from held, unnest(${types}::text[], ${data}::text[]) with ordinality as event (type, data, place))
    ${end ? sql`, ${end.reply.appended}${end.besides}` : nothing}
    ${along}
    select id from held`);
  if (!row) throw new LeaseLost();
  for (const { step } of events.filter(isRetraction)) await withhold(db, workspace_id, run_id, step, last_seq);
  return events.map((event, index) => ({ ...event, seq: last_seq + 1 + index }));
}

/** What a step has said is gone for good: whoever reads the log from here on finds the places empty. */
const withhold = (db: Db, workspace_id: string, run_id: string, step: number, until: number) =>
  db.run(sql`
    update run_events set data = case type when 'tool-call' then jsonb_set(data::jsonb, '{input}', '{}')
      when 'source' then data::jsonb || '{"url": null, "title": "", "quote": null}'
      else data::jsonb || '{"text": "", "withheld": true}' end::text
    where workspace_id = ${workspace_id} and run_id = ${run_id}
      and type in ('text-delta', 'reasoning-delta', 'tool-call', 'source') and seq <= ${until} and (data::jsonb ->> 'step')::int = ${step}`);

export async function readEvents(db: Db, workspace_id: string, run_id: string, after: number, limit: number) {
  const rows = await db.rows<{ seq: number; type: string; data: string }>(sql`
    select seq, type, data from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id} and seq > ${after} order by seq limit ${limit}`);
  return rows.map(({ seq, type, data }) => ({ seq, type, ...JSON.parse(data) }) as NumberedEvent);
}

/** Runs of conversations, for whoever carries them. */
export const runQueue: RunQueue<RunRow> = {
  waitingRuns,
  someWait,
  takeOver,
  renewLeases,
  releaseRuns,
  lapseAll,
  requestStop,
};
