import type { Db } from '../../../db/database.ts';
import { nothing, sql } from '../../../db/sql.ts';
import { storedText } from '../../../db/stored-text/stored-text.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { applyRetractions, isRetraction } from '../../messages/service.ts';
import type { CallRow } from '../../usage/ports.ts';
import { insertCallsStatement } from '../../usage/service.ts';
import type { TimedEvent } from '../ports.ts';
import { type EventAt, type EventRow, eventsOfRow, rowsOfEvents, withholdText } from './event-rows.ts';

/** Events of a run that are to be stored. */
export interface LogPart {
  workspace_id: string;
  run_id: string;
  events: readonly EventAt[];
}

/** The part of a statement that stores events of the runs in its part `held`. The log can't be ahead of the database's clock. */
export const insertEventsPart = (logs: readonly LogPart[]) => {
  const rows = logs.flatMap(({ workspace_id, run_id, events }) =>
    rowsOfEvents(withoutRetracted(events)).map((row) => ({
      ...{ ...row, run_id },
      text: storedText('run_events.data', workspace_id, [run_id, row.seq], row.data),
    })),
  );
  return sql`
    added as (
      insert into run_events (workspace_id, run_id, seq, type, data, created_at)
      select held.group_id, held.id, event.seq, event.type, event.data, least(event.at, now())
      from held join unnest(${rows.map(({ run_id }) => run_id)}::uuid[], ${rows.map(({ seq }) => seq)}::int[],
        ${rows.map(({ type }) => type)}::text[], ${rows.map(({ text }) => text)}::text[],
        ${rows.map(({ at }) => new Date(at).toISOString())}::timestamptz[]) as event (run_id, seq, type, data, at)
        on event.run_id = held.id)`;
};

/** The node that executes a run, and the number of the run's last stored event. */
export interface Holder {
  node_id: string;
  last_seq: number;
}

export const lastSeq = (events: readonly EventAt[], before: number) => events.at(-1)?.event.seq ?? before;

/** Events as they are stored: without the text that they retract. */
function withoutRetracted(events: readonly EventAt[]): readonly EventAt[] {
  if (!events.some(({ event }) => isRetraction(event))) return events;
  const times = events.map(({ at }) => at);
  return applyRetractions(events.map(({ event }) => event)).map((event, index) => ({
    event,
    at: times[index] as number,
  }));
}

/** Removes the text that these events retract from the events that were stored before them. */
export async function withholdRetracted(
  db: Db,
  workspace_id: string,
  run_id: string,
  events: readonly EventAt[],
  until: number,
): Promise<void> {
  for (const { event } of events) if (isRetraction(event)) await withhold(db, workspace_id, run_id, event.step, until);
}

export interface Appended {
  events: readonly EventAt[];
  /** Model calls to store with them. */
  calls: readonly CallRow[];
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
  { events, calls }: Appended,
): Promise<void> {
  const row = await db.row(sql`
    with held as (
      update runs set last_seq = ${lastSeq(events, last_seq)}
      where workspace_id = ${workspace_id} and id = ${run_id} and node_id = ${node_id} and last_seq = ${last_seq}
      returning id, workspace_id as group_id),
    ${insertEventsPart([{ workspace_id, run_id, events }])} ${calls.length ? sql`, ${insertCallsStatement(calls)}` : nothing}
    select id from held`);
  if (!row) throw new LeaseLost();
  await withholdRetracted(db, workspace_id, run_id, events, last_seq);
}

/** Removes the text of a step from its stored events for good. */
async function withhold(db: Db, workspace_id: string, run_id: string, step: number, until: number): Promise<void> {
  const rows = await db.rows<EventRow>(sql`
    select seq, type, data from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id} and seq <= ${until}
      and type in ('text-delta', 'reasoning-delta', 'tool-call', 'source')`);
  const withheld = rows.filter(({ data }) => JSON.parse(data).step === step);
  const data = withheld.map((row) => storedText('run_events.data', workspace_id, [run_id, row.seq], withholdText(row)));
  await db.run(sql`
    update run_events e set data = given.data
    from unnest(${withheld.map(({ seq }) => seq)}::int[], ${data}::text[]) as given (seq, data)
    where e.workspace_id = ${workspace_id} and e.run_id = ${run_id} and e.seq = given.seq`);
}

export async function readEvents(db: Db, workspace_id: string, run_id: string, after: number, limit: number) {
  const rows = await db.rows<EventRow>(sql`
    select seq, type, data from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id} and seq > ${after} order by seq limit ${limit}`);
  return rows.flatMap(eventsOfRow).filter(({ seq }) => seq > after);
}

/** Whether the log has an event with this number, and no further one of the same text. */
export const hasStoredEvent = async (db: Db, workspace_id: string, run_id: string, seq: number): Promise<boolean> =>
  (await db.row(sql`
    select 1 from run_events where workspace_id = ${workspace_id} and run_id = ${run_id} and seq = ${seq}`)) !==
  undefined;

/** Whether the log ends with this number. A node that takes a run over leaves numbers out, so it is this node's own end. */
export const isStoredUpTo = async (db: Db, workspace_id: string, run_id: string, seq: number): Promise<boolean> =>
  (await db.row(
    sql`select 1 from runs where workspace_id = ${workspace_id} and id = ${run_id} and last_seq = ${seq}`,
  )) !== undefined;

/** A page of the events of these types after a number, each with the time at which it was stored. */
export async function readTimedEvents(
  db: Db,
  workspace_id: string,
  run_id: string,
  types: readonly string[],
  { after, limit }: { after: number; limit: number },
) {
  const rows = await db.rows<EventRow & { created_at: string }>(sql`
    select seq, type, data, created_at from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id} and type = any(${[...types]}::text[]) and seq > ${after}
    order by seq limit ${limit}`);
  return rows.map(({ seq, type, data, created_at }) => {
    const { pieces: _, ...rest } = JSON.parse(data);
    return { seq, event: { type, ...rest, at: created_at } as TimedEvent };
  });
}

/** The number of the last `run-pause`; 0 when the run never waited for people. */
export const findLastPause = async (db: Db, workspace_id: string, run_id: string): Promise<number> =>
  (
    await db.row<{ seq: number | null }>(sql`
      select max(seq) as seq from run_events
      where workspace_id = ${workspace_id} and run_id = ${run_id} and type = 'run-pause'`)
  )?.seq ?? 0;
