import type { Db } from '../../../db/database.ts';
import { nothing, replanEachTime, sql } from '../../../db/sql.ts';
import { readableConversations } from '../../ownership/service.ts';
import type { MessageRow } from '../message-store.ts';

export type FoundMessage = Pick<MessageRow, 'id' | 'seq' | 'parts'> & { conversation_id: string };

/** Messages that have all words, of the conversations that changed last first; `only_of`: those that one person sees. */
export const findMessages = (
  db: Db,
  workspace_id: string,
  { words, only_of, limit }: { words: readonly string[]; only_of: string | undefined; limit: number },
) =>
  db.rows<FoundMessage>(sql`
    select m.id, m.seq, m.parts, m.conversation_id
    from messages m join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id
    where m.workspace_id = ${workspace_id} and m.superseded_by is null
      and m.words @@ to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(' & ')})
      ${only_of === undefined ? nothing : sql`and c.id in (${readableConversations(workspace_id, only_of)})`}
    order by c.last_updated_at desc, c.id desc, m.seq desc limit ${limit}${replanEachTime}`);

export const conversationNames = (db: Db, workspace_id: string, ids: readonly string[]) =>
  db.rows<{ id: string; name: string | null }>(sql`
    select id, name from conversations where workspace_id = ${workspace_id} and id = any(${[...ids]}::uuid[])`);
