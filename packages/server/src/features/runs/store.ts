import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { RunError } from '@atrium/contract/runs/events.ts';
import type { RunSort } from '@atrium/contract/runs/run-figures.ts';
import { countFacets } from '../../db/count-facets.ts';
import { countRows } from '../../db/count-rows.ts';
import type { Db } from '../../db/database.ts';
import { refuseForeignCursor } from '../../db/read-page.ts';
import { literal, nothing, type Sql, sql } from '../../db/sql.ts';
import { storedText } from '../../db/stored-text/stored-text.ts';
import { lease, makeLeaseStore } from '../../execution/lease-store.ts';
import { type FigureFilter, listSorted, matchingFigures } from '../../execution/run-list-store.ts';
import type { RunQueue, StoredPrincipal } from '../../execution/run-queue.ts';
import type { UserPart } from '../messages/ports.ts';

export interface RunRow {
  id: string;
  group_id: string;
  kind: 'conversation';
  conversation_id: string;
  user_message_id: string;
  message_id: string;
  status: RunStatus;
  /** The message that the run answers. */
  input: UserPart;
  output: Record<string, unknown> | null;
  error: RunError | null;
  stop_requested: boolean;
  /** The actor that the run acts for, also on a node that takes it over. */
  principal: StoredPrincipal;
  /** Whether the user's message stands in the conversation already. */
  said: boolean;
  last_seq: number;
  /** The tokens that this run has reserved in its conversation. */
  tokens_held: number;
  /** The part of the usage in its log that is charged already. */
  usage_settled: number;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

export const columns = sql`id, workspace_id as group_id, kind, conversation_id, user_message_id, message_id, status, input,
  output, error, stop_requested, principal, said, last_seq, tokens_held, usage_settled, created_at, started_at,
  finished_at`;

const leases = makeLeaseStore<RunRow>({ table: sql`runs`, columns });
export const { findRun, startRun } = leases;

export interface NewRun {
  id: string;
  actor_id: string;
  principal: StoredPrincipal;
  said: boolean;
  tokens_held: number;
  request_key: { key: string; fingerprint: Buffer } | undefined;
  conversation_id: string;
  user_message_id: string;
  message_id: string;
  status: 'queued' | 'running';
  input: UserPart;
}

const storedInput = (workspace_id: string, { id, input }: NewRun) =>
  storedText('runs.input', workspace_id, id, JSON.stringify(input));

const inserting = (workspace_id: string, node_id: string, run: NewRun) => sql`
    insert into runs (workspace_id, id, kind, conversation_id, user_message_id, message_id, status, input, node_id,
      leased_until, started_at, actor_id, principal, said, tokens_held, request_key, request_fingerprint)
    select ${workspace_id}::uuid, ${run.id}::uuid, 'conversation', ${run.conversation_id}::uuid,
      ${run.user_message_id}::uuid, ${run.message_id}::uuid, ${run.status}::text, ${storedInput(workspace_id, run)}::json,
      ${node_id}::uuid, ${lease}, case when ${run.status}::text = 'running' then now() end, ${run.actor_id}::uuid,
      ${JSON.stringify(run.principal)}::json, ${run.said}::boolean, ${run.tokens_held}::bigint, ${run.request_key?.key ?? null}::text,
      ${run.request_key?.fingerprint ?? null}::bytea`;

/** The row as it was inserted; the database adds only times. */
function insertedRow(group_id: string, run: NewRun, created_at: string): RunRow {
  const { actor_id: _, request_key: __, ...rest } = run;
  const started_at = run.status === 'running' ? created_at : null;
  const none = { output: null, error: null, stop_requested: false, last_seq: 0, usage_settled: 0, finished_at: null };
  return { ...rest, ...none, group_id, kind: 'conversation', created_at, started_at };
}

export async function insertRun(db: Db, workspace_id: string, node_id: string, run: NewRun): Promise<RunRow> {
  const row = await db.row<{ created_at: string }>(sql`${inserting(workspace_id, node_id, run)} returning created_at`);
  return insertedRow(workspace_id, run, row?.created_at as string);
}

/** Holds when the conversation has no unfinished run. */
export const noUnfinishedRun = (workspace_id: string | Sql, conversation_id: string | Sql) => sql`
  not exists (select 1 from runs
    where runs.workspace_id = ${workspace_id} and runs.conversation_id = ${conversation_id} and runs.finished_at is null)`;

/** The same for the conversation `c` of a larger statement. */
export const noUnfinishedRunInGroup = noUnfinishedRun(sql`c.workspace_id`, sql`c.id`);

/** Stores the user message and its run in one statement; undefined when `saying` had no effect. */
export async function insertRunWithMessage(
  db: Db,
  saying: Sql,
  workspace_id: string,
  node_id: string,
  run: NewRun,
): Promise<RunRow | undefined> {
  const row = await db.row<{ created_at: string }>(
    sql`with ${saying} ${inserting(workspace_id, node_id, run)} from counted returning created_at`,
  );
  return row && insertedRow(workspace_id, run, row.created_at);
}

/**
 * Stores user messages and their runs, which have begun, in one statement: the rows of those that were stored. `saying` has a
 * row in `counted` for each message that was.
 */
export async function insertRunsWithMessages(
  db: Db,
  saying: Sql,
  node_id: string,
  runs: readonly (NewRun & { workspace_id: string })[],
): Promise<(RunRow | undefined)[]> {
  type Stored = { id: string; created_at: string };
  const of = <T>(value: (run: NewRun & { workspace_id: string }) => T) => runs.map(value);
  const stored = await db.rows<Stored>(sql`
    with ${saying}
    insert into runs (workspace_id, id, kind, conversation_id, user_message_id, message_id, status, input, node_id,
      leased_until, started_at, actor_id, principal, said, tokens_held)
    select counted.workspace_id, run.id, 'conversation', counted.conversation_id, counted.message_id, run.message_id, 'running',
      run.input::json, ${node_id}::uuid, ${lease}, now(), run.actor_id, run.principal::json, true, run.tokens_held
    from counted join unnest(${of((run) => run.user_message_id)}::uuid[], ${of((run) => run.id)}::uuid[],
      ${of((run) => run.message_id)}::uuid[], ${of((run) => storedInput(run.workspace_id, run))}::text[],
      ${of((run) => run.actor_id)}::uuid[], ${of((run) => JSON.stringify(run.principal))}::text[],
      ${of((run) => run.tokens_held)}::bigint[])
      as run (user_message_id, id, message_id, input, actor_id, principal, tokens_held) on run.user_message_id = counted.message_id
    returning runs.id, runs.created_at`);
  const created = new Map(stored.map(({ id, created_at }) => [id, created_at]));
  return runs.map(({ workspace_id, ...run }) => {
    const created_at = created.get(run.id);
    return created_at === undefined ? undefined : insertedRow(workspace_id, run, created_at);
  });
}

export const findConversationOfRun = async (db: Db, workspace_id: string, id: string) =>
  (
    await db.row<{ conversation_id: string }>(sql`
      select conversation_id from runs where workspace_id = ${workspace_id} and id = ${id}`)
  )?.conversation_id;

/** How a run has ended; without `finished_at` it has not. */
export const findEnd = (db: Db, workspace_id: string, id: string) =>
  db.row<Pick<RunRow, 'id' | 'status' | 'error' | 'last_seq' | 'finished_at'>>(sql`
    select id, status, error, last_seq, finished_at from runs where workspace_id = ${workspace_id} and id = ${id}`);

/** The run that an earlier request with this Idempotency-Key began. */
export const findRunByRequestKey = (db: Db, workspace_id: string, actor_id: string, key: string) =>
  db.row<RunRow & { request_fingerprint: Buffer }>(sql`
    select ${columns}, request_fingerprint from runs
    where workspace_id = ${workspace_id} and actor_id = ${actor_id} and request_key = ${key}
      and created_at > now() - interval '24 hours'`);

/** An Idempotency-Key is kept for a day and can then be used anew. */
export const releaseOldRequestKey = (db: Db, workspace_id: string, actor_id: string, key: string) =>
  db.run(sql`
    update runs set request_key = null
    where workspace_id = ${workspace_id} and actor_id = ${actor_id} and request_key = ${key}
      and created_at <= now() - interval '24 hours'`);

/** The run of a conversation that executes or waits for people. */
export const findActiveRun = (db: Db, workspace_id: string, conversation_id: string) =>
  db.row<RunRow>(sql`
    select ${columns} from runs
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id}
      and status in ('running', 'awaiting_human_feedback')`);

/** Whether a run waits for people since this event. */
export const isPausedAt = async (db: Db, workspace_id: string, id: string, seq: number) =>
  (await db.row(sql`
    select 1 from runs where workspace_id = ${workspace_id} and id = ${id} and status = 'awaiting_human_feedback'
      and last_seq = ${seq}`)) !== undefined;

/** The oldest run that executes, waits for people or is queued. */
export const findUnfinishedRun = (db: Db, workspace_id: string, conversation_id: string) =>
  db.row<RunRow>(sql`
    select ${columns} from runs
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and finished_at is null
    order by id limit 1`);

/** Counts expected messages: queued user messages, and the reply of each run without one. */
export const countMessagesAhead = async (db: Db, workspace_id: string, conversation_id: string): Promise<number> => {
  const row = await db.row<{ ahead: number }>(sql`
    select coalesce(sum((not said)::int + (status <> 'awaiting_human_feedback')::int), 0)::int as ahead from runs
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and finished_at is null`);
  return row?.ahead ?? 0;
};

export const findLatestRun = (db: Db, workspace_id: string, conversation_id: string) =>
  db.row<RunRow>(sql`
    select ${columns} from runs where workspace_id = ${workspace_id} and conversation_id = ${conversation_id}
    order by id desc limit 1`);

export interface RunFilter extends FigureFilter {
  status?: RunStatus | undefined;
  conversation_id?: string | undefined;
  assistant_id?: string | undefined;
  assistant_version_id?: string | undefined;
  /** Only runs of conversations of this owner. */
  only_of?: string | undefined;
}

/** The status is a literal, not a parameter: only then can PostgreSQL use the partial index on rare statuses. */
const matching = (workspace_id: string, filter: RunFilter) => {
  const { status, conversation_id, assistant_id, assistant_version_id, only_of } = filter;
  return sql`
  workspace_id = ${workspace_id}
  ${status ? sql`and status = ${literal(status)}` : nothing}
  ${conversation_id ? sql`and conversation_id = ${conversation_id}` : nothing}
  ${assistant_id ? sql`and assistant_id = ${assistant_id}` : nothing}
  ${assistant_version_id ? sql`and assistant_version_id = ${assistant_version_id}` : nothing}
  ${
    only_of
      ? sql`and conversation_id in (
          select id from conversations where workspace_id = ${workspace_id} and owner_id = ${only_of})`
      : nothing
  }
  ${matchingFigures(workspace_id, filter)}`;
};

const facetColumns = { kind: sql`'conversation'::text`, status: sql`status`, assistant_id: sql`assistant_id` };

export async function listRuns(db: Db, workspace_id: string, filter: RunFilter, sort: RunSort, window: PageWindow) {
  const where = matching(workspace_id, filter);
  const table = sql`runs`;
  const [rows, total, facets] = await Promise.all([
    refuseForeignCursor(window, listSorted<RunRow>(db, { workspace_id, table, columns, where, sort, window })),
    window.total ?? countRows(db, sql`from runs where ${where}`),
    window.facets ? countFacets(db, sql`from runs where ${where} order by id desc`, facetColumns) : undefined,
  ]);
  return { rows, total, ...(facets && { facets }) };
}

/** Deleted or not: the runs of a deleted agent can still be listed. */
export const hasAgent = async (db: Db, workspace_id: string, id: string) =>
  (await db.row(sql`select 1 from agents where workspace_id = ${workspace_id} and id = ${id}`)) !== undefined;

/**
 * The numbers that a node gives to events begin at a multiple of this, so that they tell which node they are of: the node
 * before may have shown events that it had not stored. No node shows that many before it stores them.
 */
const numbersPerNode = 100_000;
const mostNumbers = 2_000_000_000;

/** Takes over runs with an expired lease. */
const takeOver = (db: Db, node_id: string, limit: number) =>
  db.rows<RunRow>(sql`
    update runs set node_id = ${node_id}, leased_until = ${lease},
      last_seq = case when last_seq < ${mostNumbers} then (last_seq / ${numbersPerNode}::int + 1) * ${numbersPerNode}::int
        else last_seq + 1 end
    where (workspace_id, id) in (
      select workspace_id, id from runs where status = 'running' and leased_until < now()
      order by leased_until limit ${limit} for update skip locked)
    returning ${columns}`);

/** The longest waiting run of each workspace that can start now: no other run of its conversation is unfinished. */
const waitingRuns = (db: Db) =>
  db.rows<RunRow>(sql`
    select distinct on (workspace_id) ${columns} from runs as waiting
    where status = 'queued' and not exists (
      select 1 from runs as active
      where active.workspace_id = waiting.workspace_id and active.conversation_id = waiting.conversation_id
        and active.status in ('running', 'awaiting_human_feedback'))
    order by workspace_id, id`);

/** Returns the status. The caller must end a run that waits for people, since no node executes it. */
export const requestStop = (db: Db, workspace_id: string, id: string) =>
  db.row<{ status: RunStatus }>(sql`
    update runs set stop_requested = true where workspace_id = ${workspace_id} and id = ${id} returning status`);

export const isStopRequested = async (db: Db, workspace_id: string, id: string) =>
  (await db.row(sql`
    select 1 from runs where workspace_id = ${workspace_id} and id = ${id} and stop_requested`)) !== undefined;

/** The queue of agent runs, for the executor. */
export const runQueue: RunQueue<RunRow> = { ...leases, waitingRuns, takeOver, requestStop };
