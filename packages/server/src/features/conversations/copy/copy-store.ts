import type { Db } from '../../../db/database.ts';
import { join, sql } from '../../../db/sql.ts';
import { storedText, storedTextOrNull } from '../../../db/stored-text/stored-text.ts';
import { newId } from '../../../lib/ids.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
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

/** The names of those behind what a conversation takes over: of its prompts and, where `said`, of its messages. */
const shapersOf = (workspace_id: string, from: string, names: readonly string[], said: boolean) => sql`array(
        select unnest(o.shaped_by || ${[...names]}::text[])
        union select name from actors_behind_conversation(${workspace_id}, ${from}) as name
          where ${said} and name is not null)`;

/** Carries over what limits a conversation, and the actors behind it. */
export const copyLimits = (
  db: Db,
  workspace_id: string,
  ids: { from: string; to: string },
  { names, messages }: { names: readonly string[]; messages: number },
) =>
  db.run(sql`
    update conversations n set brought = o.brought, inherits = o.inherits, tokens_used = o.tokens_used,
      violations = o.violations, message_count = ${messages}, status = 'completed',
      shaped_by = ${shapersOf(workspace_id, ids.from, names, true)}
    from conversations o
    where o.workspace_id = ${workspace_id} and o.id = ${ids.from} and n.workspace_id = ${workspace_id} and n.id = ${ids.to}`);

/** The run that made an answer; its rights still count for those who read the copy. */
const runOf = ({ role, metadata }: MessageRow): string | null =>
  role === 'assistant' && metadata !== null ? (parseStored<{ run_id?: string }>(metadata).run_id ?? null) : null;

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
      ${storedTextOrNull('messages.metadata', workspace_id, id, message.metadata)}, ${runOf(message)}::uuid,
      ${message.written_by}::uuid, ${message.created_at}::timestamptz)`;
  });
  return db.run(sql`
    insert into messages (workspace_id, conversation_id, seq, id, role, parts, metadata, run_id, written_by, created_at)
    values ${join(rows, sql`, `)}`);
};

/** The summary that a conversation begins with, as its first message. */
export const insertSummary = (
  db: Db,
  workspace_id: string,
  conversation_id: string,
  content: string,
  written_by: string | null,
) =>
  insertMessages(
    db,
    workspace_id,
    conversation_id,
    [
      {
        ...{ seq: 1, id: '', role: 'system', written_by, metadata: null, created_at: new Date().toISOString() },
        parts: JSON.stringify([{ role: 'system', type: 'text', content }]),
      },
    ],
    1,
  );

/** What a conversation that goes on with another one takes over of its limits. A summary brings what was read. */
export const carryLimits = (
  db: Db,
  workspace_id: string,
  ids: { from: string; to: string },
  { names, told }: { names: readonly string[]; told: boolean },
) =>
  db.run(sql`
    update conversations n set inherits = o.inherits, message_count = ${told ? 1 : 0},
      brought = case when ${told} then o.brought else n.brought end,
      violations = case when ${told} then o.violations else 0 end,
      shaped_by = ${shapersOf(workspace_id, ids.from, names, told)}
    from conversations o
    where o.workspace_id = ${workspace_id} and o.id = ${ids.from} and n.workspace_id = ${workspace_id} and n.id = ${ids.to}`);
