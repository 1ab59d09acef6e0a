import { after } from 'node:test';
import type { TestApp } from '../../../test/support/test-app.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { makeLog } from '../../lib/log.ts';
import { appendMessage, type MessageRow } from './message-store.ts';

type Part = { role: string; type: string; content: string } & Record<string, unknown>;

/** The database of a test app, for what no operation does yet. */
export async function databaseOf({ query }: TestApp): Promise<Database> {
  const [{ name }] = await query('select current_database() as name');
  const db = openDatabase({ connection: { ...testServer(), database: name }, max: 8, log: makeLog('silent') });
  after(() => db.close());
  return db;
}

/** Appends messages the way runs do. */
export function makeSay(db: Database) {
  return async (
    conversation: { id: string; group_id: string },
    role: MessageRow['role'],
    ...said: (string | Part)[]
  ): Promise<string> => {
    const parts = said.map((part) => (typeof part === 'string' ? { role, type: role, content: part } : part));
    const id = newId();
    const message = { id, role, parts: JSON.stringify(parts) };
    await appendMessage(db, conversation.group_id, conversation.id, message);
    return id;
  };
}

/** Many messages at once: `m1`, `m2` …, user and assistant in turn. */
export async function fill({ query }: TestApp, conversation: { id: string; group_id: string }, count: number) {
  await query(
    `insert into messages (workspace_id, conversation_id, seq, id, role, parts)
     select $1, $2, n, gen_random_uuid(), r.role,
            json_build_array(json_build_object('role', r.role, 'type', r.role, 'content', 'm' || n))::text
     from generate_series(1, $3::int) n, lateral (select case n % 2 when 1 then 'user' else 'assistant' end as role) r`,
    [conversation.group_id, conversation.id, count],
  );
  await query('update conversations set message_count = $3 where workspace_id = $1 and id = $2', [
    conversation.group_id,
    conversation.id,
    count,
  ]);
}

/** The texts of messages as an answer has them. */
export const textsOf = (messages: { message_parts: { content: string }[] }[]) =>
  messages.map(({ message_parts }) => message_parts.map(({ content }) => content).join('|'));
