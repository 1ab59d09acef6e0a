import type { Db } from '../../../db/database.ts';
import { join, sql } from '../../../db/sql.ts';
import { storedText, storedTextOrNull } from '../../../db/stored-text/stored-text.ts';
import { newId } from '../../../lib/ids.ts';
import type { MessageRow } from '../message-store.ts';

/** The place of a message that is shown, and how many are shown up to it. */
export const findPlace = (db: Db, workspace_id: string, conversation_id: string, id: string) =>
  db.row<{ seq: number; messages: number }>(sql`
    select m.seq, (select count(*)::int from messages b
      where b.workspace_id = m.workspace_id and b.conversation_id = m.conversation_id and b.seq <= m.seq
        and b.superseded_by is null) as messages
    from messages m
    where m.workspace_id = ${workspace_id} and m.conversation_id = ${conversation_id} and m.id = ${id}
      and m.superseded_by is null`);

/** Carries over what limits a conversation, and the actors that wrote its prompts. */
export const copyLimits = (
  db: Db,
  workspace_id: string,
  ids: { from: string; to: string },
  { names, messages }: { names: readonly string[]; messages: number },
) =>
  db.run(sql`
    update conversations n set brought = o.brought, inherits = o.inherits, tokens_used = o.tokens_used,
      violations = o.violations, message_count = ${messages}, status = 'completed',
      shaped_by = array(select distinct unnest(o.shaped_by || ${[...names]}::text[]))
    from conversations o
    where o.workspace_id = ${workspace_id} and o.id = ${ids.from} and n.workspace_id = ${workspace_id} and n.id = ${ids.to}`);

/** Messages with new ids, counted from `first` on. Their texts are sealed anew, since seals are bound to ids. */
export const insertMessages = (
  db: Db,
  workspace_id: string,
  conversation_id: string,
  messages: readonly MessageRow[],
  first: number,
) => {
  const rows = messages.map((message, index) => {
    const id = newId();
    return sql`(${workspace_id}::uuid, ${conversation_id}::uuid, ${first + index}::int, ${id}::uuid, ${message.role},
      ${storedText('messages.parts', workspace_id, id, message.parts)},
      ${storedTextOrNull('messages.metadata', workspace_id, id, message.metadata)}, ${message.written_by}::uuid,
      ${message.created_at}::timestamptz)`;
  });
  return db.run(sql`
    insert into messages (workspace_id, conversation_id, seq, id, role, parts, metadata, written_by, created_at)
    values ${join(rows, sql`, `)}`);
};
