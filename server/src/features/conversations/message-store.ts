import type { Db } from '../../db/database.ts';
import { nextEtag } from '../../db/etag.ts';
import { nothing, sql } from '../../db/sql.ts';

export interface MessageRow {
  seq: number;
  id: string;
  role: 'user' | 'assistant' | 'system';
  created_at: string;
  /** JSON text of the parts: written once, spliced into every answer. */
  parts: string;
}

const columns = sql`seq, id, role, created_at, parts`;

/**
 * Appends by counting on the conversation's own row: one update and one insert in one statement, whatever the length.
 * Two appends to one conversation queue on that row, so seq has neither gaps nor repeats.
 */
export const appendMessage = (
  db: Db,
  workspace_id: string,
  conversation_id: string,
  message: Pick<MessageRow, 'id' | 'role' | 'parts'>,
) =>
  db.row<MessageRow>(sql`
    with counted as (
      update conversations set message_count = message_count + 1, last_updated_at = now(), ${nextEtag()}
      where workspace_id = ${workspace_id} and id = ${conversation_id} returning message_count)
    insert into messages (workspace_id, conversation_id, seq, id, role, parts)
    select ${workspace_id}, ${conversation_id}, message_count, ${message.id}, ${message.role}, ${message.parts} from counted
    returning ${columns}`);

/** A page of messages next to a place in the conversation, in the order asked for. */
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
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} ${beyond}
    order by seq ${newest ? sql`desc` : nothing} limit ${limit}`);
};
