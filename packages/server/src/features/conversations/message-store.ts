import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Db } from '../../db/database.ts';
import { nextEtag } from '../../db/etag.ts';
import { nothing, type Sql, sql } from '../../db/sql.ts';

export interface MessageRow {
  seq: number;
  id: string;
  role: 'user' | 'assistant' | 'system';
  created_at: string;
  /** JSON text of the parts: written once, spliced into every answer. */
  parts: string;
  /** JSON text of how a reply was made. */
  metadata: string | null;
}

export interface NewMessage extends Pick<MessageRow, 'id' | 'role' | 'parts'> {
  metadata?: string | null;
  run_id?: string;
  /** What it brings into the conversation; noted on its row, where it stays whatever becomes of the message. */
  brought?: readonly Taint[];
}

const columns = sql`seq, id, role, created_at, parts, metadata`;

/** What else is set on the conversation's row with an append, and what must hold for it; both begin with their comma or and. */
export interface Besides {
  set?: Sql;
  where?: Sql;
}

const noting = ({ brought = [] }: NewMessage) =>
  brought.length ? sql`, brought = array(select distinct unnest(brought || ${[...brought]}::text[]))` : nothing;

/**
 * Appends by counting on the conversation's own row: one update and one insert, whatever the length. Two appends to one
 * conversation queue on that row, so seq has neither gaps nor repeats. The parts of a statement, for whoever writes
 * something else along: `counted` has a row when the message was taken, `appended` is the message.
 */
export const appending = (
  workspace_id: string,
  conversation_id: string,
  message: NewMessage,
  { set = nothing, where = nothing }: Besides = {},
) => sql`
    counted as (
      update conversations set message_count = message_count + 1, last_updated_at = now(), ${nextEtag()} ${set}
        ${noting(message)}
      where workspace_id = ${workspace_id} and id = ${conversation_id} ${where} returning message_count),
    appended as (
      insert into messages (workspace_id, conversation_id, seq, id, role, parts, metadata, run_id)
      select ${workspace_id}, ${conversation_id}, message_count, ${message.id}, ${message.role}, ${message.parts},
        ${message.metadata ?? null}, ${message.run_id ?? null}
      from counted
      returning ${columns})`;

/** The same for a message that is there already, as its reply was when its run had to wait: it is written anew. */
export const rewriting = (
  workspace_id: string,
  conversation_id: string,
  message: NewMessage,
  { set = nothing, where = nothing }: Besides = {},
) => sql`
    ${counting(workspace_id, conversation_id, { set: sql`${set} ${noting(message)}`, where })},
    appended as (
      update messages set parts = ${message.parts}, metadata = ${message.metadata ?? null}
      from counted where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and id = ${message.id}
      returning seq)`;

/** And for a change of the conversation alone, without a message. */
export const counting = (
  workspace_id: string,
  conversation_id: string,
  { set = nothing, where = nothing }: Besides,
) => sql`
    counted as (
      update conversations set last_updated_at = now(), ${nextEtag()} ${set}
      where workspace_id = ${workspace_id} and id = ${conversation_id} ${where} returning message_count)`;

export const appendMessage = (db: Db, workspace_id: string, conversation_id: string, message: NewMessage) =>
  db.row<MessageRow>(sql`with ${appending(workspace_id, conversation_id, message)} select ${columns} from appended`);

/** A page of messages next to a place in the conversation, in the order asked for. Replaced branches are left out. */
export const readMessages = (
  db: Db,
  workspace_id: string,
  conversation_id: string,
  { after, order, limit }: { after: number | undefined; order: 'newest' | 'oldest'; limit: number },
) => {
  const newest = order === 'newest';
  const beyond = after === undefined ? nothing : newest ? sql`and seq < ${after}` : sql`and seq > ${after}`;
  return db.rows<MessageRow>(sql`
    select ${columns} from messages
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and superseded_by is null
      ${beyond}
    order by seq ${newest ? sql`desc` : nothing} limit ${limit}`);
};

export const findMessage = (db: Db, workspace_id: string, conversation_id: string, id: string) =>
  db.row<MessageRow>(sql`
    select ${columns} from messages
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and id = ${id}
      and superseded_by is null`);

/** From this message on the conversation takes another way; what was said is kept under the new branch's name. */
export const supersede = (db: Db, workspace_id: string, conversation_id: string, from_seq: number, by: string) =>
  db.run(sql`
    update messages set superseded_by = ${by}
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and seq >= ${from_seq}
      and superseded_by is null`);
