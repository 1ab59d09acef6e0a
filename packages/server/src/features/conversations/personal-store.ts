import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Conversations that a person began in a workspace; the oldest first. */
export const listConversationsOf = (db: Db, workspace_id: string, person_id: string, after: string, limit: number) =>
  db.rows<{ id: string }>(sql`
    select id from conversations
    where workspace_id = ${workspace_id} and owner_id = ${person_id} and id > ${after} order by id limit ${limit}`);

export interface MessageName {
  workspace_id: string;
  conversation_id: string;
  id: string;
}

export interface WrittenMessage extends MessageName {
  created_at: string;
  /** JSON text. */
  parts: string;
}

/** What someone wrote in conversations of others. */
export const listMessagesBy = (
  db: Db,
  workspace_ids: readonly string[],
  { person_id, actor_ids }: { person_id: string; actor_ids: readonly string[] },
  after: string,
  limit: number,
) =>
  db.rows<WrittenMessage>(sql`
    select m.workspace_id, m.conversation_id, m.id, m.created_at, m.parts
    from messages m join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
    where m.written_by = any(${[...actor_ids]}::uuid[]) and m.workspace_id = any(${[...workspace_ids]}::uuid[])
      and c.person_id is distinct from ${person_id} and m.id > ${after}
    order by m.id limit ${limit}`);

/** Puts this text in place of the parts of messages. Summaries are written anew, since they may repeat the words. */
export const replaceMessages = (db: Db, rows: readonly MessageName[], text: string) =>
  db.run(sql`
    with given as (
      select * from unnest(${rows.map((row) => row.workspace_id)}::uuid[], ${rows.map((row) => row.conversation_id)}::uuid[],
        ${rows.map((row) => row.id)}::uuid[]) as g (workspace_id, conversation_id, id)),
    forgotten as (
      update conversations c set summary = null, summary_message_id = null
      from (select distinct workspace_id, conversation_id from given) g
      where c.workspace_id = g.workspace_id and c.id = g.conversation_id and c.summary is not null)
    update messages m set
      parts = json_build_array(json_build_object('role', m.role, 'type', 'text', 'content', ${text}::text))::text, metadata = null, written_by = null from given g
    where m.workspace_id = g.workspace_id and m.conversation_id = g.conversation_id and m.id = g.id`);
