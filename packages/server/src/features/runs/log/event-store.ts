import type { NumberedEvent, RunEvent } from '@atrium/contract/runs/events.ts';
import type { Db } from '../../../db/database.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { applyRetractions, isRetraction } from '../../messages/service.ts';

/** The part of a statement that stores events of the run in its part `held`, numbered after `before`. */
export const insertEventsPart = (workspace_id: string, before: Sql, events: readonly RunEvent[]) => {
  const types = events.map(({ type }) => type);
  const data = events.map(({ type: _, ...rest }) => JSON.stringify(rest));
  return sql`
    added as (
      insert into run_events (workspace_id, run_id, seq, type, data)
      select ${workspace_id}, held.id, ${before} + place, type, data
      from held, unnest(${types}::text[], ${data}::text[]) with ordinality as event (type, data, place))`;
};

/** The node that executes a run, and the number of the run's last event. */
export interface Holder {
  node_id: string;
  last_seq: number;
}

/** Events as they are stored after the one numbered `last_seq`. */
export function prepareEvents(emitted: readonly RunEvent[], last_seq: number) {
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
    ${insertEventsPart(workspace_id, sql`${last_seq}::int`, events)} ${along ? sql`, ${along}` : nothing}
    select id from held`);
  if (!row) throw new LeaseLost();
  return number(db, workspace_id, run_id);
}

/** Removes the text of a step from its stored events for good. */
const withhold = (db: Db, workspace_id: string, run_id: string, step: number, until: number) =>
  db.run(sql`
    update run_events set data = case type when 'tool-call' then jsonb_set(data::jsonb, '{input}', '{}')
      when 'source' then (data::jsonb - 'place') || '{"url": null, "title": "", "quote": null}'
      else data::jsonb || '{"text": "", "withheld": true}' end::text
    where workspace_id = ${workspace_id} and run_id = ${run_id}
      and type in ('text-delta', 'reasoning-delta', 'tool-call', 'source') and seq <= ${until} and (data::jsonb ->> 'step')::int = ${step}`);

export async function readEvents(db: Db, workspace_id: string, run_id: string, after: number, limit: number) {
  const rows = await db.rows<{ seq: number; type: string; data: string }>(sql`
    select seq, type, data from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id} and seq > ${after} order by seq limit ${limit}`);
  return rows.map(({ seq, type, data }) => ({ seq, type, ...JSON.parse(data) }) as NumberedEvent);
}

/** The number of the last `run-pause`; 0 when the run never waited for people. */
export const findLastPause = async (db: Db, workspace_id: string, run_id: string): Promise<number> =>
  (
    await db.row<{ seq: number | null }>(sql`
      select max(seq) as seq from run_events
      where workspace_id = ${workspace_id} and run_id = ${run_id} and type = 'run-pause'`)
  )?.seq ?? 0;
