import type { PageWindow } from '@atrium/contract/page.ts';
import type { RunSort } from '@atrium/contract/runs/run-figures.ts';
import type { RunStatus, WorkflowRun } from '@atrium/contract/workflows/schema.ts';
import { countFacets } from '../../../db/count-facets.ts';
import { countRows } from '../../../db/count-rows.ts';
import type { Db } from '../../../db/database.ts';
import { refuseForeignCursor } from '../../../db/read-page.ts';
import { literal, nothing, sql } from '../../../db/sql.ts';
import { storedText, storedTextOrNull } from '../../../db/stored-text/stored-text.ts';
import type { TextColumn } from '../../../db/stored-text/text-columns.ts';
import { lease, makeLeaseStore } from '../../../execution/lease-store.ts';
import { type FigureFilter, listSorted, matchingFigures } from '../../../execution/run-list-store.ts';
import { LeaseLost, type RunQueue, type StoredPrincipal } from '../../../execution/run-queue.ts';
import { isListedRun, isReadableRun, type RunReach } from '../../ownership/service.ts';
import type { Batch, JournalEvent, RunError } from './journal-events.ts';
import { endedRunColumns, publishWorkflowRunEnd } from './run-end-store.ts';

export interface RunRow {
  id: string;
  group_id: string;
  workflow_id: string;
  workflow_version_id: string | null;
  draft: boolean;
  graph_id: string;
  status: RunStatus;
  input: Record<string, unknown>;
  output: WorkflowRun['output'];
  error: RunError | null;
  progress: number;
  progress_details: WorkflowRun['progress_details'];
  node_ids: string[] | null;
  single_node_id: string | null;
  pinned_outputs: WorkflowRun['pinned_outputs'];
  tracing: boolean;
  callback_url: string | null;
  retry_of: string | null;
  /** The run under whose id the effects of the steps are stored; null: its own. */
  effects_of: string | null;
  handles_run: string | null;
  principal: StoredPrincipal;
  stop_requested: boolean;
  last_seq: number;
  /** How many of the tokens reserved by waiting conversations belong to this run. */
  tokens_held: number;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

const columns = sql`id, workspace_id as group_id, workflow_id, workflow_version_id, draft, graph_id, status, input, output, error,
  progress, progress_details, node_ids, single_node_id, pinned_outputs, tracing, callback_url, retry_of, effects_of,
  handles_run, principal, stop_requested, last_seq, tokens_held, created_at, started_at, finished_at`;

/** A value of a run's column as JSON text. */
const storedJson = (column: TextColumn, workspace_id: string, run_id: string, value: object | null | undefined) =>
  storedTextOrNull(column, workspace_id, run_id, value && JSON.stringify(value));

const storedEvents = (workspace_id: string, run_id: string, first_seq: number, events: readonly JournalEvent[]) =>
  storedText('workflow_journal.events', workspace_id, [run_id, first_seq], JSON.stringify(events));

const storedValue = (workspace_id: string, { id, value }: LargeValue) =>
  storedText('workflow_values.value', workspace_id, id, value);

const leases = makeLeaseStore<RunRow>({ table: sql`workflow_runs`, columns });
export const { findRun, startRun, resumeRun } = leases;

export type NewRun = Pick<
  RunRow,
  | 'id'
  | 'workflow_id'
  | 'workflow_version_id'
  | 'draft'
  | 'input'
  | 'node_ids'
  | 'single_node_id'
  | 'tracing'
  | 'callback_url'
  | 'pinned_outputs'
  | 'retry_of'
  | 'effects_of'
  | 'handles_run'
  | 'principal'
> & { status: 'queued' | 'running' };

/**
 * Inserts a run if the workflow exists and is valid, in one statement. Undefined if not; the caller then finds out
 * why. `graph_id` is set for a retry, which uses the graph of the first run.
 */
export async function insertRun(db: Db, workspace_id: string, node_id: string, run: NewRun, graph_id?: string) {
  const source = run.workflow_version_id
    ? sql`workflows w join workflow_versions v on v.workspace_id = w.workspace_id and v.workflow_id = w.id
        and v.id = ${run.workflow_version_id}::uuid and v.valid`
    : sql`workflows w`;
  const published = run.workflow_version_id ? sql`v.graph_id` : sql`w.graph_id`;
  const graph = graph_id ? sql`${graph_id}::uuid` : run.draft ? sql`w.draft_graph_id` : published;
  const isValid = run.draft ? sql`and w.draft_graph_id is not null and w.draft_valid` : sql`and w.valid`;
  const row = await db.row<{ graph_id: string; created_at: string }>(sql`
    insert into workflow_runs (workspace_id, id, workflow_id, workflow_version_id, draft, graph_id, status, input, node_ids,
      single_node_id, pinned_outputs, tracing, callback_url, retry_of, effects_of, handles_run, principal, node_id,
      leased_until, started_at)
    select ${workspace_id}::uuid, ${run.id}::uuid, w.id, ${run.workflow_version_id}::uuid, ${run.draft}::boolean, ${graph}, ${run.status}::text,
      ${storedJson('workflow_runs.input', workspace_id, run.id, run.input)}::json, ${run.node_ids}::text[], ${run.single_node_id}::text,
      ${storedJson('workflow_runs.pinned_outputs', workspace_id, run.id, run.pinned_outputs)}::json, ${run.tracing}::boolean,
      ${run.callback_url}::text, ${run.retry_of}::uuid, ${run.effects_of}::uuid, ${run.handles_run}::uuid, ${JSON.stringify(run.principal)}::json,
      ${node_id}::uuid, ${lease}, case when ${run.status}::text = 'running' then now() end
    from ${source}
    where w.workspace_id = ${workspace_id} and w.id = ${run.workflow_id} and w.deleted_at is null
      ${run.workflow_version_id || graph_id ? nothing : isValid}
    returning graph_id, created_at`);
  if (!row) return undefined;
  const started_at = run.status === 'running' ? row.created_at : null;
  const none = { output: null, error: null, progress: 0, progress_details: null, stop_requested: false, last_seq: 0 };
  const holding = { tokens_held: 0 };
  return {
    ...run,
    ...none,
    ...holding,
    ...row,
    group_id: workspace_id,
    started_at,
    finished_at: null,
  } satisfies RunRow as RunRow;
}

export interface RunFilter extends FigureFilter {
  status?: RunStatus | undefined;
  workflow_id?: string | undefined;
  /** Whose runs the caller reads; undefined: those of everybody. */
  reach?: RunReach | undefined;
}

/** A run in a list; `readable`: the caller reads its inputs and outputs. */
export type ListedRun = RunRow & { readable: boolean };

const facetColumns = { kind: sql`'workflow'::text`, status: sql`status`, workflow_id: sql`workflow_id` };

export async function listRuns(db: Db, workspace_id: string, filter: RunFilter, sort: RunSort, window: PageWindow) {
  const { status, workflow_id, reach } = filter;
  // The status is a literal of the statement: PostgreSQL uses the partial index on rare statuses only then.
  const where = sql`workspace_id = ${workspace_id} ${status ? sql`and status = ${literal(status)}` : nothing}
    ${workflow_id ? sql`and workflow_id = ${workflow_id}` : nothing} ${matchingFigures(workspace_id, filter)}
    ${reach ? sql`and ${isListedRun(workspace_id, reach)}` : nothing}`;
  const readable = reach ? sql`coalesce(${isReadableRun(workspace_id, reach)}, false)` : sql`true`;
  const listed = sql`${columns}, ${readable} as readable`;
  const table = sql`workflow_runs`;
  const [rows, total, facets] = await Promise.all([
    refuseForeignCursor(window, listSorted<ListedRun>(db, { workspace_id, table, columns: listed, where, sort, window })),
    window.total ?? countRows(db, sql`from workflow_runs where ${where}`),
    window.facets ? countFacets(db, sql`from workflow_runs where ${where} order by id desc`, facetColumns) : undefined,
  ]);
  return { rows, total, ...(facets && { facets }) };
}

/** Deleted or not: the runs of a deleted workflow can still be listed. */
export const hasWorkflow = async (db: Db, workspace_id: string, id: string) =>
  (await db.row(sql`select 1 from workflows where workspace_id = ${workspace_id} and id = ${id}`)) !== undefined;

/** The run, locked until the transaction ends, so that it is neither suspended nor resumed meanwhile. */
export const lockWorkflowRun = (tx: Db, workspace_id: string, id: string) =>
  tx.row<RunRow>(sql`
    select ${columns} from workflow_runs where workspace_id = ${workspace_id} and id = ${id} for no key update`);

/** Ends a run that is queued or suspended. False when it runs. */
export const stopIdle = async (db: Db, workspace_id: string, id: string, event: JournalEvent) =>
  (await db.row(sql`
    with held as (
      update workflow_runs set status = 'stopped', stop_requested = true, finished_at = now(), node_id = null,
        leased_until = null, last_seq = last_seq + 1
      where workspace_id = ${workspace_id} and id = ${id} and status in ('queued', 'awaiting_human_feedback')
      returning ${endedRunColumns}, last_seq),
    ${publishWorkflowRunEnd({ status: 'stopped', error: null })}
    insert into workflow_journal (workspace_id, run_id, first_seq, events)
    select ${workspace_id}, id, last_seq, ${JSON.stringify([event])} from held returning run_id`)) !== undefined;

const takeOver = (db: Db, node_id: string, limit: number) =>
  db.rows<RunRow>(sql`
    update workflow_runs set node_id = ${node_id}, leased_until = ${lease}, status = 'running'
    where (workspace_id, id) in (
      select workspace_id, id from workflow_runs
      where status in ('running', 'awaiting_human_feedback') and leased_until < now()
      order by leased_until limit ${limit} for update skip locked)
    returning ${columns}`);

const waitingRuns = (db: Db) =>
  db.rows<RunRow>(sql`
    select distinct on (workspace_id) ${columns} from workflow_runs where status = 'queued' order by workspace_id, id`);

const requestStop = (db: Db, workspace_id: string, id: string) =>
  db.row<{ status: RunStatus }>(sql`
    update workflow_runs set stop_requested = true, leased_until = case when node_id is null then now() else leased_until end
    where workspace_id = ${workspace_id} and id = ${id} returning status`);

/** The state in which a node leaves a run: ended, or suspended until a decision or a time. */
export interface RunEnding {
  status: RunStatus;
  output: WorkflowRun['output'];
  error: RunError | null;
  progress: number;
  progress_details: object | null;
  /** Of a suspended run: when it continues by itself. */
  wakes_at: number | null;
  over: boolean;
}

/** A large value, which the journal refers to by id. */
export interface LargeValue {
  id: string;
  value: string;
}

/**
 * Appends events in one row, with their large values and, after the last event, the end of the run, in one statement.
 * Throws LeaseLost when the run does not belong to this node any more.
 */
export async function append(
  db: Db,
  workspace_id: string,
  run_id: string,
  { node_id, last_seq }: { node_id: string; last_seq: number },
  events: readonly JournalEvent[],
  large: readonly LargeValue[],
  end?: RunEnding,
): Promise<void> {
  const ended = end
    ? sql`, status = ${end.status}, output = ${storedJson('workflow_runs.output', workspace_id, run_id, end.output)}::json,
        error = ${storedJson('workflow_runs.error', workspace_id, run_id, end.error)}::json, progress = ${end.progress},
        progress_details = ${storedJson('workflow_runs.progress_details', workspace_id, run_id, end.progress_details)}::json, node_id = null,
        leased_until = case when not ${end.over} and stop_requested then now()
          else ${end.wakes_at === null ? null : new Date(end.wakes_at)}::timestamptz end,
        finished_at = case when ${end.over} then now() end`
    : nothing;
  const kept = large.length
    ? sql`, kept as (
        insert into workflow_values (workspace_id, run_id, id, value)
        select ${workspace_id}, held.id, v.id, v.value
        from held, unnest(${large.map(({ id }) => id)}::uuid[], ${large.map((value) => storedValue(workspace_id, value))}::text[]) as v (id, value))`
    : nothing;
  const added = events.length
    ? sql`, added as (
        insert into workflow_journal (workspace_id, run_id, first_seq, events)
        select ${workspace_id}, held.id, ${last_seq}::int + 1, ${storedEvents(workspace_id, run_id, last_seq + 1, events)} from held)`
    : nothing;
  const row = await db.row(sql`
    with held as (
      update workflow_runs set last_seq = last_seq + ${events.length}::int ${ended}
      where workspace_id = ${workspace_id} and id = ${run_id} and node_id = ${node_id} and last_seq = ${last_seq}
      returning ${endedRunColumns})
    ${kept} ${added} ${end?.over ? sql`, ${publishWorkflowRunEnd(end)}` : nothing}
    select id from held`);
  if (!row) throw new LeaseLost();
}

/** Whether the journal ends with this number and the run belongs to this node, or to none. */
export const isStoredUpTo = async (
  db: Db,
  workspace_id: string,
  run_id: string,
  { node_id, last_seq }: { node_id: string | null; last_seq: number },
): Promise<boolean> =>
  (await db.row(sql`
    select 1 from workflow_runs where workspace_id = ${workspace_id} and id = ${run_id} and last_seq = ${last_seq}
      and node_id is not distinct from ${node_id}`)) !== undefined;

/** Copies the finished steps of a run into the journal of a new one. */
export async function copyJournal(db: Db, workspace_id: string, from: string, to: string, events: JournalEvent[]) {
  await db.run(sql`
    insert into workflow_values (workspace_id, run_id, id, value)
    select workspace_id, ${to}, id, value from workflow_values where workspace_id = ${workspace_id} and run_id = ${from}`);
  await db.run(sql`
    insert into workflow_journal (workspace_id, run_id, first_seq, events)
    values (${workspace_id}, ${to}, 1, ${storedEvents(workspace_id, to, 1, events)})`);
  await db.run(sql`
    update workflow_runs set last_seq = ${events.length} where workspace_id = ${workspace_id} and id = ${to}`);
}

export async function readJournal(db: Db, workspace_id: string, run_id: string, after: number, limit: number) {
  const rows = await db.rows<{ first_seq: number; events: string }>(sql`
    select first_seq, events from workflow_journal
    where workspace_id = ${workspace_id} and run_id = ${run_id} and first_seq > ${after} order by first_seq limit ${limit}`);
  return rows.map(({ first_seq, events }): Batch => ({ first_seq, events: JSON.parse(events) }));
}

export async function readValues(db: Db, workspace_id: string, run_id: string, ids: readonly string[]) {
  const rows = await db.rows<LargeValue>(sql`
    select id, value from workflow_values
    where workspace_id = ${workspace_id} and run_id = ${run_id} and id = any(${ids}::uuid[])`);
  return new Map<string, unknown>(rows.map(({ id, value }) => [id, JSON.parse(value)]));
}

/**
 * The queue of workflow runs for the executor. A run that waits for a time has a lease until then, without a holder.
 */
export const runQueue: RunQueue<RunRow> = { ...leases, waitingRuns, takeOver, requestStop };

/** Takes the name of who asked off runs; their ids stay. */
export const forgetNames = (db: Db, workspace_id: string, actor_ids: readonly string[]) =>
  db.run(sql`
    update workflow_runs set principal = jsonb_set(principal::jsonb, '{actor,name}', '""')::json
    where workspace_id = ${workspace_id} and principal -> 'actor' ->> 'id' = any(${[...actor_ids]}::text[])
      and principal -> 'actor' ->> 'name' <> ''`);

/** Puts a text in place of another wherever the journal, a stored value, the output or the progress of a run has it as a whole value. */
export async function replaceInRun(
  db: Db,
  workspace_id: string,
  run_id: string,
  texts: readonly string[],
  text: string,
) {
  const replaceIn = (stored: string) =>
    texts.reduce((now, old) => now.replaceAll(JSON.stringify(old), () => JSON.stringify(text)), stored);
  const whose = sql`workspace_id = ${workspace_id} and run_id = ${run_id}`;
  const journal = await db.rows<{ first_seq: number; events: string }>(sql`
    select first_seq, events from workflow_journal where ${whose}`);
  for (const { first_seq, events } of journal) {
    const stored = storedText('workflow_journal.events', workspace_id, [run_id, first_seq], replaceIn(events));
    if (stored.text !== events)
      await db.run(sql`update workflow_journal set events = ${stored} where ${whose} and first_seq = ${first_seq}`);
  }
  const values = await db.rows<LargeValue>(sql`select id, value from workflow_values where ${whose}`);
  for (const { id, value } of values) {
    const stored = storedValue(workspace_id, { id, value: replaceIn(value) });
    if (stored.text !== value)
      await db.run(sql`update workflow_values set value = ${stored} where ${whose} and id = ${id}`);
  }
  const run = await leases.findRun(db, workspace_id, run_id);
  const replaced = (value: object | null) => value && JSON.parse(replaceIn(JSON.stringify(value)));
  if (run)
    await db.run(sql`
      update workflow_runs set output = ${storedJson('workflow_runs.output', workspace_id, run_id, replaced(run.output))}::json,
        progress_details = ${storedJson('workflow_runs.progress_details', workspace_id, run_id, replaced(run.progress_details))}::json
      where workspace_id = ${workspace_id} and id = ${run_id}`);
}
