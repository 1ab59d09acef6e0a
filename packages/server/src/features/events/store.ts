import type { EventKind } from '@atrium/contract/events/kinds.ts';
import type { LiveEvent } from '@atrium/contract/events/schema.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** An event of a workspace, with what decides who may see it. */
export interface EventRow {
  seq: number;
  event: string;
  kind: EventKind;
  target_id: string | null;
  parent_kind: string | null;
  parent_id: string | null;
  actor_id: string | null;
  /** The owner of the conversation, or the person of the request, that it is about. */
  person_id: string | null;
  /** Of a document: it was hidden from some people when it happened. */
  hidden: boolean;
  data: LiveEvent['data'];
  created_at: string;
}

export type NewEvent = Omit<EventRow, 'seq'> & { conversation_id: string | null };

export interface FeedRow {
  first_seq: number;
  last_seq: number;
}

/** How long a workspace counts as watched after its last reader was there. */
const watchMinutes = 10;
/** More than a reader that comes back is sent, so that the beginning is still there while it is read. */
const keepMost = 2000;
const trimEvery = 100;

/** Watches a workspace for a while. After a time without readers numbers begin anew, since events have not been written. */
export const watchFeed = (db: Db, workspace_id: string) =>
  db.one<FeedRow>(sql`
    insert into event_feeds as f (workspace_id, watched_until)
    values (${workspace_id}, now() + make_interval(mins => ${watchMinutes}::int))
    on conflict (workspace_id) do update set watched_until = excluded.watched_until,
      first_seq = case when f.watched_until <= now() then f.last_seq + 2 else f.first_seq end,
      last_seq = case when f.watched_until <= now() then f.last_seq + 1 else f.last_seq end
    returning first_seq, last_seq`);

export const findFeed = (db: Db, workspace_id: string) =>
  db.one<FeedRow>(sql`select first_seq, last_seq from event_feeds where workspace_id = ${workspace_id}`);

/**
 * Numbers and stores an event, if the workspace is watched; its number, or undefined. One node does so at a time: numbers
 * are committed in their order, and two nodes never wait for each other's workspaces.
 */
export async function insertEvent(tx: Db, workspace_id: string, row: NewEvent): Promise<number | undefined> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('workspace_events'))`);
  const stored = await tx.row<{ seq: number }>(sql`
    with feed as (
      update event_feeds set last_seq = last_seq + 1 where workspace_id = ${workspace_id} and watched_until > now()
      returning last_seq)
    insert into workspace_events (workspace_id, seq, event, kind, target_id, parent_kind, parent_id, actor_id, person_id,
      hidden, data, created_at)
    select ${workspace_id}, feed.last_seq, ${row.event}, ${row.kind}, ${row.target_id}, ${row.parent_kind}, ${row.parent_id},
      ${row.actor_id}, coalesce(${row.person_id}::uuid, owner_of_conversation(${workspace_id}, ${row.conversation_id}::uuid),
        owner_of_workflow_run(${workspace_id}, ${row.kind === 'run' && row.parent_kind === 'workflow' ? row.target_id : null}::uuid)),
      ${row.hidden}, ${JSON.stringify(row.data)}, ${row.created_at}
    from feed returning seq`);
  if (stored && stored.seq % trimEvery === 0) await dropThrough(tx, workspace_id, stored.seq - keepMost);
  return stored?.seq;
}

const dropThrough = (tx: Db, workspace_id: string, seq: number) =>
  tx.run(sql`
    with gone as (delete from workspace_events where workspace_id = ${workspace_id} and seq <= ${seq})
    update event_feeds set first_seq = greatest(first_seq, ${seq}::bigint + 1) where workspace_id = ${workspace_id}`);

export const listEvents = (
  db: Db,
  workspace_id: string,
  { after, through, limit }: { after: number; through?: number | undefined; limit: number },
) =>
  db.rows<EventRow>(sql`
    select seq, event, kind, target_id, parent_kind, parent_id, actor_id, person_id, hidden, data, created_at
    from workspace_events
    where workspace_id = ${workspace_id} and seq > ${after} and seq <= ${through ?? Number.MAX_SAFE_INTEGER}
    order by seq limit ${limit}`);

/** Deletes events that are an hour old. Readers that want them are sent `reset`. */
export const deleteOldEvents = (db: Db) =>
  db.run(sql`
    with gone as (
      delete from workspace_events where created_at < now() - interval '1 hour' returning workspace_id, seq),
    newest as (select workspace_id, max(seq) as seq from gone group by workspace_id)
    update event_feeds f set first_seq = greatest(f.first_seq, newest.seq + 1) from newest
    where f.workspace_id = newest.workspace_id`);
