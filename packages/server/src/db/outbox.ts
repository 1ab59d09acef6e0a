import type { Db } from './database.ts';
import { nothing, type Sql, sql } from './sql.ts';

/** Something that others may wait for. */
export interface OutboxMessage {
  /** `row.created`; the word before the dot is its family. */
  event: string;
  /** The agent, table or knowledge base it happened to. */
  subject_id: string | null;
  /** The delivery of a trigger that led to it, where one did: what a trigger starts must not fire it again. */
  cause: string | null;
  data: Record<string, unknown>;
}

/**
 * The statement that writes down what happened, for those who wait for it; without anybody who does it writes nothing.
 * In a larger statement `after` names the part of it that must have had a row.
 */
export const insertOutboxStatement = (workspace_id: string, events: readonly OutboxMessage[], after?: Sql): Sql => sql`
  insert into outbox (workspace_id, event, subject_id, cause, data)
  select ${workspace_id}::uuid, happened.event, happened.subject_id, happened.cause, happened.data
  from json_to_recordset(${JSON.stringify(events)}::json) as happened (event text, subject_id uuid, cause text, data json)
  where someone_listens(${workspace_id}::uuid, happened.event) ${after ? sql`and exists (select from ${after})` : nothing}`;

/** In the transaction in which it happens: it is told exactly when it has happened. */
export async function announce(tx: Db, workspace_id: string, ...events: readonly OutboxMessage[]): Promise<void> {
  if (events.length) await tx.run(insertOutboxStatement(workspace_id, events));
}

export interface StoredOutboxMessage extends OutboxMessage {
  id: number;
  workspace_id: string;
  created_at: string;
}

/** The oldest of what nobody has looked at yet; gone once the transaction that looks at it commits. */
export const takeOutboxMessages = async (tx: Db, limit: number) =>
  (
    await tx.rows<StoredOutboxMessage>(sql`
      delete from outbox where id in (select id from outbox order by id limit ${limit} for update skip locked)
      returning id, workspace_id, event, subject_id, cause, data, created_at`)
  ).sort((a, b) => a.id - b.id);
