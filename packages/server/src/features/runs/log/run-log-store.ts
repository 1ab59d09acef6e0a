import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { NumberedEvent, RunError, RunEvent } from '@atrium/contract/runs/events.ts';
import type { Db } from '../../../db/database.ts';
import { join, nothing, type Sql, sql } from '../../../db/sql.ts';
import { storedText, storedTextOrNull } from '../../../db/stored-text/stored-text.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { applyRetractions, isRetraction } from '../../messages/service.ts';
import type { TimedEvent } from '../ports.ts';
import type { RunRow } from '../store.ts';

/** The part of a statement that stores events of the run in its part `held`, numbered after `last_seq`. */
const insertEventsPart = (workspace_id: string, run_id: string, last_seq: number, events: readonly RunEvent[]) => {
  const types = events.map(({ type }) => type);
  const data = events.map(({ type: _, ...rest }, index) =>
    storedText('run_events.data', workspace_id, [run_id, last_seq + 1 + index], JSON.stringify(rest)),
  );
  return sql`
    added as (
      insert into run_events (workspace_id, run_id, seq, type, data)
      select ${workspace_id}, held.id, ${last_seq}::int + place, type, data
      from held, unnest(${types}::text[], ${data}::text[]) with ordinality as event (type, data, place))`;
};

/** The node that executes a run, and the number of the run's last event. */
export interface Holder {
  node_id: string;
  last_seq: number;
}

/** Events as they are stored after the one numbered `last_seq`. */
function prepareEvents(emitted: readonly RunEvent[], last_seq: number) {
  const events = applyRetractions(emitted);
  return {
    events,
    /** To be called when they are stored: removes text that they retract, and answers them with their numbers. */
    async number(db: Db, workspace_id: string, run_id: string): Promise<NumberedEvent[]> {
      for (const { step } of events.filter(isRetraction)) await withhold(db, workspace_id, run_id, step, last_seq);
      return events.map((event, index) => ({ ...event, seq: last_seq + 1 + index }));
    },
  };
}

/**
 * Appends events to the log of a run that this node executes. Throws LeaseLost when another node executes the run by
 * now, or has done so in between: a node that was taken for dead cannot add to the log when it comes back.
 */
export async function appendEvents(
  db: Db,
  workspace_id: string,
  run_id: string,
  { node_id, last_seq }: Holder,
  emitted: readonly RunEvent[],
  /** A further part of the statement. */
  along: Sql | undefined,
): Promise<NumberedEvent[]> {
  const { events, number } = prepareEvents(emitted, last_seq);
  const row = await db.row(sql`
    with held as (
      update runs set last_seq = last_seq + ${events.length}::int
      where workspace_id = ${workspace_id} and id = ${run_id} and node_id = ${node_id} and last_seq = ${last_seq}
      returning id),
    ${insertEventsPart(workspace_id, run_id, last_seq, events)} ${along ? sql`, ${along}` : nothing}
    select id from held`);
  if (!row) throw new LeaseLost();
  return number(db, workspace_id, run_id);
}

/** An event as it is stored, without its text. */
function withoutText({ type, data }: StoredEvent): object {
  const { place, images, ...rest } = JSON.parse(data);
  if (type === 'tool-call') return { ...JSON.parse(data), input: {} };
  if (type === 'source') return { ...rest, url: null, title: '', quote: null };
  return { ...JSON.parse(data), text: '', withheld: true };
}

/** Removes the text of a step from its stored events for good. */
async function withhold(db: Db, workspace_id: string, run_id: string, step: number, until: number): Promise<void> {
  const rows = await db.rows<StoredEvent>(sql`
    select seq, type, data from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id} and seq <= ${until}
      and type in ('text-delta', 'reasoning-delta', 'tool-call', 'source')`);
  const withheld = rows.filter(({ data }) => JSON.parse(data).step === step);
  const data = withheld.map((row) =>
    storedText('run_events.data', workspace_id, [run_id, row.seq], JSON.stringify(withoutText(row))),
  );
  await db.run(sql`
    update run_events e set data = given.data
    from unnest(${withheld.map(({ seq }) => seq)}::int[], ${data}::text[]) as given (seq, data)
    where e.workspace_id = ${workspace_id} and e.run_id = ${run_id} and e.seq = given.seq`);
}

interface StoredEvent {
  seq: number;
  type: string;
  /** JSON text. */
  data: string;
}

export async function readEvents(db: Db, workspace_id: string, run_id: string, after: number, limit: number) {
  const rows = await db.rows<StoredEvent>(sql`
    select seq, type, data from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id} and seq > ${after} order by seq limit ${limit}`);
  return rows.map(({ seq, type, data }) => ({ seq, type, ...JSON.parse(data) }) as NumberedEvent);
}

/** A page of the events of these types after a number, each with the time at which it was stored. */
export async function readTimedEvents(
  db: Db,
  workspace_id: string,
  run_id: string,
  types: readonly string[],
  { after, limit }: { after: number; limit: number },
) {
  const rows = await db.rows<{ seq: number; type: string; data: string; created_at: string }>(sql`
    select seq, type, data, created_at from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id} and type = any(${[...types]}::text[]) and seq > ${after}
    order by seq limit ${limit}`);
  return rows.map(({ seq, type, data, created_at }) => ({
    seq,
    event: { type, ...JSON.parse(data), at: created_at } as TimedEvent,
  }));
}

/** The number of the last `run-pause`; 0 when the run never waited for people. */
export const findLastPause = async (db: Db, workspace_id: string, run_id: string): Promise<number> =>
  (
    await db.row<{ seq: number | null }>(sql`
      select max(seq) as seq from run_events
      where workspace_id = ${workspace_id} and run_id = ${run_id} and type = 'run-pause'`)
  )?.seq ?? 0;

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
  /** The number of the run's last event, which `where` must demand. */
  last_seq: number;
  finished_at: Sql;
  /** Further columns of the run; begins with a comma. */
  set?: Sql;
  events: readonly RunEvent[];
  /** Parts before `held`; `held` reads from the one named `locked`. */
  before?: Sql;
  /** Parts after `held`, each `name as (…)`. */
  after?: readonly Sql[];
}

/** The columns of an ended run that its publication needs. */
type EndedRun = Pick<RunRow, 'id' | 'group_id' | 'conversation_id' | 'principal'>;

function endRunStatement({ run, events, before, set = nothing, after = [], ...end }: EndStatement): Sql {
  const count = sql`${events.length}::int`;
  const parts = [
    ...(before ? [before] : []),
    sql`held as (
      update runs set status = ${end.status}, error = ${storedTextOrNull('runs.error', run.group_id, run.id, end.error && JSON.stringify(end.error))},
        finished_at = ${end.finished_at}, last_seq = last_seq + ${count}, node_id = null, leased_until = null ${set}
      ${before ? sql`from locked` : nothing}
      where workspace_id = ${run.group_id} and id = ${run.id} and ${end.where}
      returning id, workspace_id as group_id, conversation_id, principal)`,
    insertEventsPart(run.group_id, run.id, end.last_seq, events),
    ...after,
  ];
  return sql`with ${join(parts, sql`, `)} select id, group_id, conversation_id, principal from held`;
}

/**
 * Publishes to the outbox that an answer is over or waits for a person, if anything subscribes to that. `after` names the
 * part of a larger statement that must have had a row.
 */
function publishStatement(run: EndedRun, status: RunStatus, error: RunError | null, after?: Sql): Sql {
  const waits = status === 'awaiting_human_feedback';
  const events = waits ? ['conversation.waiting'] : ['conversation.ended', `run.${status}`];
  return sql`
    insert into outbox (workspace_id, event, subject_id, cause, data)
    select c.workspace_id, happened, c.assistant_id, ${run.principal.actor.delivery_id ?? null}::text, json_build_object('run_id', ${run.id}::text,
      'conversation_id', c.id, 'assistant_id', c.assistant_id, 'status', ${status}::text,
      'error', ${error && JSON.stringify(error)}::json)
    from conversations c, unnest(${events}::text[]) as happened
    where c.workspace_id = ${run.group_id} and c.id = ${run.conversation_id}
      and someone_listens(c.workspace_id, happened) ${after ? sql`and exists (select from ${after})` : nothing}`;
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
  /** Stores the figures of the run, as `fact as (…)`. */
  fact: Sql | null;
}

/**
 * Ends a run that this node executes, together with its last events, its reply, its figures and its publication. Throws
 * LeaseLost when another node executes the run by now.
 */
export async function endExecutedRun(
  db: Db,
  { node_id, last_seq }: Holder,
  emitted: readonly RunEvent[],
  ending: RunEnding,
  /** A further part of the statement. */
  along: Sql | undefined,
): Promise<NumberedEvent[]> {
  const { run, status, error, reply, fact } = ending;
  const { events, number } = prepareEvents(emitted, last_seq);
  const row = await db.row(
    endRunStatement({
      ...{ run, status, error, events, last_seq },
      where: sql`node_id = ${node_id} and last_seq = ${last_seq}`,
      finished_at: sql`${ending.finished_at}`,
      set: sql`, tokens_held = tokens_held - coalesce((select tokens_held from holding), 0)`,
      before: reply.locked,
      after: [
        reply.appended,
        sql`told as (${publishStatement(run, status, error, sql`held`)})`,
        ...(fact ? [fact] : []),
        ...(along ? [along] : []),
      ],
    }),
  );
  if (!row) throw new LeaseLost();
  return number(db, run.group_id, run.id);
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
      ...{ run: { id, group_id: workspace_id }, status, error: null, finished_at: sql`now()`, events, last_seq },
      where: sql`status = 'awaiting_human_feedback' and last_seq = ${last_seq}`,
    }),
  );
  if (run) await tx.run(publishStatement(run, status, null));
  return run;
}

/**
 * Ends a queued run before its message was added to the conversation, with these events; false when it has started.
 * Nothing is published and no reply is stored: the conversation does not know of the run.
 */
export async function withdrawRun(db: Db, workspace_id: string, id: string, events: readonly RunEvent[]) {
  const row = await db.row(
    endRunStatement({
      ...{ run: { id, group_id: workspace_id }, status: 'stopped', error: null, finished_at: sql`now()`, events },
      last_seq: 0,
      where: sql`status = 'queued' and not said and last_seq = 0`,
      set: sql`, stop_requested = true`,
    }),
  );
  return row !== undefined;
}
