import type { Db } from './database.ts';
import { nothing, type Sql, sql } from './sql.ts';

/** An event that triggers and webhooks may subscribe to. */
export interface OutboxMessage {
  /** `row.created`; the word before the dot is its family. */
  event: string;
  /** The agent, table or knowledge base it happened to. */
  subject_id: string | null;
  /** The trigger delivery that caused the event, so that a trigger is not fired again by the work it started. */
  cause: string | null;
  data: Record<string, unknown>;
}

/**
 * The statement that writes events to the outbox; events without a subscriber are left out.
 * In a larger statement `after` names the part that must have had a row.
 */
export const insertOutboxStatement = (workspace_id: string, events: readonly OutboxMessage[], after?: Sql): Sql => sql`
  insert into outbox (workspace_id, event, subject_id, cause, data)
  select ${workspace_id}::uuid, happened.event, happened.subject_id, happened.cause, happened.data
  from json_to_recordset(${JSON.stringify(events)}::json) as happened (event text, subject_id uuid, cause text, data json)
  where someone_listens(${workspace_id}::uuid, happened.event) ${after ? sql`and exists (select from ${after})` : nothing}`;

/**
 * Whether anything in the workspace may subscribe to events. `someone_listens` is called for each event and costs more than
 * these three looks; without a subscriber, only events that notify people need it.
 */
export const hasSubscribers = (workspace_id: string): Sql => sql`(
  exists (select from event_feeds where workspace_id = ${workspace_id} and watched_until > now())
  or exists (select from triggers where workspace_id = ${workspace_id} and type = 'event' and enabled)
  or exists (select from webhooks where workspace_id = ${workspace_id} and enabled))`;

/** Writes events in the transaction that causes them, so that they are published exactly when it commits. */
export async function publishEvents(tx: Db, workspace_id: string, ...events: readonly OutboxMessage[]): Promise<void> {
  if (events.length) await tx.run(insertOutboxStatement(workspace_id, events));
}

export interface StoredOutboxMessage extends OutboxMessage {
  id: number;
  workspace_id: string;
  created_at: string;
}

/** Takes the oldest events out of the outbox; they are deleted when the transaction commits. */
export const takeOutboxMessages = async (tx: Db, limit: number) =>
  (
    await tx.rows<StoredOutboxMessage>(sql`
      delete from outbox where id in (select id from outbox order by id limit ${limit} for update skip locked)
      returning id, workspace_id, event, subject_id, cause, data, created_at`)
  ).sort((a, b) => a.id - b.id);
