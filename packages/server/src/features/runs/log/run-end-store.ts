import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { RunError, RunEvent } from '@atrium/contract/runs/events.ts';
import type { Db } from '../../../db/database.ts';
import { hasSubscribers } from '../../../db/outbox.ts';
import { join, nothing, type Sql, sql } from '../../../db/sql.ts';
import { storedTextOrNull } from '../../../db/stored-text/stored-text.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import type { RunReply } from '../../conversations/ports.ts';
import type { RunFact } from '../../usage/ports.ts';
import { insertCallsStatement, runFactsStatement } from '../../usage/service.ts';
import type { RunRow } from '../store.ts';
import type { EventAt } from './event-rows.ts';
import { type Appended, type Holder, insertEventsPart, lastSeq, withholdRetracted } from './run-log-store.ts';

/** Events of a run, numbered after `last_seq`, that happen now. */
const numberEvents = (events: readonly RunEvent[], last_seq: number): EventAt[] =>
  events.map((event, index) => ({ event: { ...event, seq: last_seq + 1 + index }, at: Date.now() }));

/**
 * The only owner of the statement that ends an agent run, or suspends it while it waits for people. The statement is a
 * WITH clause of parts that happen together or not at all. Its part `held` is the row of the run, and is empty when the
 * run may not be ended: every other part has an effect only if `held` has a row.
 */
interface EndStatement {
  run: Pick<RunRow, 'id' | 'group_id'>;
  /** Which state of the run may be ended. */
  where: Sql;
  status: RunStatus;
  error: RunError | null;
  /** The number of the run's last stored event, which `where` must demand. */
  last_seq: number;
  finished_at: Sql;
  /** Further columns of the run; begins with a comma. */
  set?: Sql;
  events: readonly EventAt[];
  /** Parts before `held`; `held` reads from the one named `locked`. */
  before?: Sql;
  /** Parts after `held`, each `name as (…)`. */
  after?: readonly Sql[];
}

/** The columns of an ended run that its publication needs. */
export type EndedRun = Pick<RunRow, 'id' | 'group_id' | 'conversation_id' | 'principal'>;

function endRunStatement({ run, events, before, set = nothing, after = [], ...end }: EndStatement): Sql {
  const parts = [
    ...(before ? [before] : []),
    sql`held as (
      update runs set status = ${end.status}, error = ${storedTextOrNull('runs.error', run.group_id, run.id, end.error && JSON.stringify(end.error))},
        finished_at = ${end.finished_at}, last_seq = ${lastSeq(events, end.last_seq)}, node_id = null, leased_until = null ${set}
      ${before ? sql`from locked` : nothing}
      where workspace_id = ${run.group_id} and id = ${run.id} and ${end.where}
      returning id, workspace_id as group_id, conversation_id, principal)`,
    insertEventsPart([{ workspace_id: run.group_id, run_id: run.id, events }]),
    ...after,
  ];
  return sql`with ${join(parts, sql`, `)} select id, group_id, conversation_id, principal from held`;
}

/** An answer that is over or waits for a person. */
interface PublishedEnd {
  run: EndedRun;
  status: RunStatus;
  error: RunError | null;
}

const eventsOfEnd = ({ status }: PublishedEnd) =>
  status === 'awaiting_human_feedback' ? ['conversation.waiting'] : ['conversation.ended', `run.${status}`];

/**
 * Publishes to the outbox that answers are over or wait for a person, if anything subscribes to that; a completed one
 * notifies no person. `held` names the part of a larger statement that must have a row for the run.
 */
export function publishStatement(ends: readonly PublishedEnd[], held?: Sql): Sql {
  const workspaces = new Set(ends.map(({ run }) => run.group_id));
  const [workspace_id = ''] = workspaces;
  const isCompleted = ends.every(({ status }) => status === 'completed');
  const told = ends.flatMap((end) => eventsOfEnd(end).map((event) => ({ event, ...end })));
  const of = <T>(value: (end: (typeof told)[number]) => T) => told.map(value);
  return sql`
    insert into outbox (workspace_id, event, subject_id, cause, data)
    select c.workspace_id, told.event, c.assistant_id, told.cause, json_build_object('run_id', told.run_id::text,
      'conversation_id', c.id, 'assistant_id', c.assistant_id, 'status', told.status, 'error', told.error::json)
    from unnest(${of(({ run }) => run.group_id)}::uuid[], ${of(({ run }) => run.conversation_id)}::uuid[],
      ${of(({ run }) => run.id)}::uuid[], ${of(({ event }) => event)}::text[],
      ${of(({ run }) => run.principal.actor.delivery_id ?? null)}::text[], ${of(({ status }) => status)}::text[],
      ${of(({ error }) => error && JSON.stringify(error))}::text[])
      as told (workspace_id, conversation_id, run_id, event, cause, status, error)
    join conversations c on c.workspace_id = told.workspace_id and c.id = told.conversation_id
    where someone_listens(told.workspace_id, told.event)
      ${workspaces.size === 1 && isCompleted ? sql`and ${hasSubscribers(workspace_id)}` : nothing}
      ${held ? sql`and exists (select from ${held} where id = told.run_id)` : nothing}`;
}

/** How an executed run ends or is suspended, and the parts that other features add to the statement. */
export interface RunEnding {
  run: EndedRun;
  status: RunStatus;
  error: RunError | null;
  /**
   * Null when the run is only suspended. By the clock that gives the conversation's etag: an etag that has seen the end
   * is not older than it.
   */
  finished_at: string | null;
  /** Stores the reply: `locked` locks the conversation before the run, as every other statement does. */
  reply: { locked: Sql; appended: Sql };
  /** The reply, where the run is completed and its message is new and without taint: such ends share a statement. */
  usual?: RunReply | undefined;
  /** The figures of the run. */
  fact: RunFact | null;
}

/**
 * Ends a run that this node executes, together with its last events, its reply, its figures and its publication. Throws
 * LeaseLost when another node executes the run by now.
 */
export async function endExecutedRun(
  db: Db,
  { node_id, last_seq }: Holder,
  { events, calls }: Appended,
  ending: RunEnding,
): Promise<void> {
  const { run, status, error, reply, fact } = ending;
  const row = await db.row(
    endRunStatement({
      ...{ run, status, error, last_seq, events },
      where: sql`node_id = ${node_id} and last_seq = ${last_seq}`,
      finished_at: sql`${ending.finished_at}`,
      set: sql`, tokens_held = tokens_held - coalesce((select tokens_held from holding), 0)`,
      before: reply.locked,
      after: [
        reply.appended,
        sql`told as (${publishStatement([{ run, status, error }], sql`held`)})`,
        ...(fact ? [runFactsStatement([fact])] : []),
        ...(calls.length ? [insertCallsStatement(calls)] : []),
      ],
    }),
  );
  if (!row) throw new LeaseLost();
  await withholdRetracted(db, run.group_id, run.id, events, last_seq);
}

/**
 * Ends a run that waits for people, with these last events, and publishes its end. Undefined when it does not wait any
 * more. To be called in a transaction that has locked the conversation and stores the reply.
 */
export async function endPausedRun(
  tx: Db,
  workspace_id: string,
  id: string,
  status: 'completed' | 'stopped',
  events: readonly RunEvent[],
): Promise<EndedRun | undefined> {
  const paused = await tx.row<{ last_seq: number }>(sql`
    select last_seq from runs where workspace_id = ${workspace_id} and id = ${id}`);
  if (!paused) return undefined;
  const { last_seq } = paused;
  const run = await tx.row<EndedRun>(
    endRunStatement({
      ...{ run: { id, group_id: workspace_id }, status, error: null, finished_at: sql`now()`, last_seq },
      events: numberEvents(events, last_seq),
      where: sql`status = 'awaiting_human_feedback' and last_seq = ${last_seq}`,
    }),
  );
  if (run) await tx.run(publishStatement([{ run, status, error: null }]));
  return run;
}

/**
 * Ends a queued run before its message was added to the conversation, with these events; false when it has started.
 * Nothing is published and no reply is stored: the conversation does not know of the run.
 */
export async function withdrawRun(db: Db, workspace_id: string, id: string, events: readonly RunEvent[]) {
  const row = await db.row(
    endRunStatement({
      ...{ run: { id, group_id: workspace_id }, status: 'stopped', error: null, finished_at: sql`now()`, last_seq: 0 },
      events: numberEvents(events, 0),
      where: sql`status = 'queued' and not said and last_seq = 0`,
      set: sql`, stop_requested = true`,
    }),
  );
  return row !== undefined;
}
