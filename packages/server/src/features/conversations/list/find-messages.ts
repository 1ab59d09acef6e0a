import type { Database } from '../../../db/database.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { MessagePart } from '../../messages/ports.ts';
import { onlyOf } from '../is-visible.ts';
import * as store from './find-store.ts';

export interface MessageMatch {
  conversation_id: string;
  /** The name of the conversation. */
  name: string | null;
  message_id: string;
  seq: number;
  text: string;
}

/** What people and the agent said in a message; the same parts as `message_words` of the database reads. */
const textOf = (parts: string) =>
  parseStored<MessagePart[]>(parts)
    .flatMap((part) => ((part.type === 'user' || part.type === 'text') && !('advice' in part) ? part.content : []))
    .join(' ');

/** The messages with all of these words, in the conversations that the caller may see. */
export async function findMessages(
  db: Database,
  scope: Scope,
  words: readonly string[],
  limit: number,
): Promise<MessageMatch[]> {
  if (words.length === 0) return [];
  const { workspace_id } = scope;
  const rows = await store.findMessages(db, workspace_id, { words, only_of: onlyOf(scope), limit });
  const ids = [...new Set(rows.map(({ conversation_id }) => conversation_id))];
  const named = ids.length ? await store.conversationNames(db, workspace_id, ids) : [];
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return rows.map(({ id, seq, conversation_id, parts }) => ({
    ...{ conversation_id, name: names.get(conversation_id) ?? null, message_id: id, seq, text: textOf(parts) },
  }));
}
