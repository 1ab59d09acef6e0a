import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { NumberedEvent, RunError, RunEvent } from '@atrium/contract/runs/events.ts';
import type { Db } from '../../../db/database.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { applyRetractions, isRetraction } from '../../messages/service.ts';
import { columns, type RunRow } from '../store.ts';

/** The part of a statement that stores events of the run that it calls `held`, numbered from `before` on. */
const adding = (workspace_id: string, before: Sql, events: readonly RunEvent[]) => {
  const types = events.map(({ type }) => type);
  const data = events.map(({ type: _, ...rest }) => JSON.stringify(rest));
  return sql`
    added as (
      insert into run_events (workspace_id, run_id, seq, type, data)
      select ${workspace_id}, held.id, ${before} + place, type, data
      from held, unnest(${types}::text[], ${data}::text[]) with ordinality as event (type, data, place))`;
};

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
  const events = applyRetractions(told);
  const ended = end
    ? sql`, status = ${end.status}, error = ${end.error && JSON.stringify(end.error)}, finished_at = ${end.finished_at},
        node_id = null, leased_until = null,
        tokens_held = tokens_held - coalesce((select tokens_held from holding), 0)`
    : nothing;
  const row = await db.row(sql`
    with ${end ? sql`${end.reply.locked},` : nothing}
    held as (
      update runs set last_seq = last_seq + ${events.length}::int ${ended} ${end ? sql`from locked` : nothing}
      where workspace_id = ${workspace_id} and id = ${run_id} and node_id = ${node_id} and last_seq = ${last_seq}
      returning id),
    ${adding(workspace_id, sql`${last_seq}::int`, events)}
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

/** The number of the last event with which a run began to wait; 0 when there is none. */
export const findLastPause = async (db: Db, workspace_id: string, run_id: string): Promise<number> =>
  (
    await db.row<{ seq: number | null }>(sql`
      select max(seq) as seq from run_events
      where workspace_id = ${workspace_id} and run_id = ${run_id} and type = 'run-pause'`)
  )?.seq ?? 0;

/** Ends a run that waits for people, with these last events; undefined when it does not wait any more. */
export const endPausedRun = (
  db: Db,
  workspace_id: string,
  id: string,
  status: 'completed' | 'stopped',
  events: readonly RunEvent[],
) =>
  db.row<RunRow>(sql`
    with held as (
      update runs set status = ${status}, finished_at = now(), last_seq = last_seq + ${events.length}::int
      where workspace_id = ${workspace_id} and id = ${id} and status = 'awaiting_human_feedback' returning ${columns}),
    ${adding(workspace_id, sql`held.last_seq - ${events.length}::int`, events)}
    select * from held`);

/**
 * Ends a run that waits, with these events, before its turn and before its message was said; false when it is too late
 * for that. The conversation has not heard of it.
 */
export async function withdrawRun(db: Db, workspace_id: string, id: string, events: readonly RunEvent[]) {
  const row = await db.row(sql`
    with held as (
      update runs set status = 'stopped', stop_requested = true, finished_at = now(), last_seq = ${events.length}::int,
        node_id = null, leased_until = null
      where workspace_id = ${workspace_id} and id = ${id} and status = 'queued' and not said returning id),
    ${adding(workspace_id, sql`0`, events)}
    select id from held`);
  return row !== undefined;
}
