import { type Sql, sql } from '../../db/sql.ts';

/** Selects the ids of the conversations that a person or service account may read: its own and those shared with it. */
export const readableConversations = (workspace_id: string, reader_id: string): Sql => sql`
  select reader.conversation_id from conversation_readers reader
  where reader.workspace_id = ${workspace_id} and reader.reader_id = ${reader_id}`;
