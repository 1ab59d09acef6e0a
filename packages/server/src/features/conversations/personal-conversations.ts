import type { Database, Db } from '../../db/database.ts';
import { retryOnDeadlock } from '../../db/retry-on-deadlock.ts';
import type { ArchiveEntry, DataSubject, PersonalRecords } from '../personal-data/ports.ts';
import type { ExportConversation } from './conversation-export.ts';
import { deleteMarks, listAllMarks } from './marks/mark-store.ts';
import { listConversationsOf, listMessagesBy, type MessageName, replaceMessages } from './personal-store.ts';
import { listSharesWithPerson } from './shares/share-store.ts';
import { deleteConversation } from './store.ts';

const pageSize = 200;
const first = '00000000-0000-0000-0000-000000000000';
const erased = '[erased]';

/** Puts a mark in place of the words of messages. */
export const eraseMessages = (db: Db, rows: readonly MessageName[]) => replaceMessages(db, rows, erased);

async function* conversationsOf(db: Database, { workspace_ids, person_id }: DataSubject) {
  for (const workspace_id of workspace_ids)
    for (let after = first; ; ) {
      const page = await listConversationsOf(db, workspace_id, person_id, after, pageSize);
      for (const { id } of page) yield { workspace_id, id };
      const last = page.at(-1);
      if (!last) break;
      after = last.id;
    }
}

async function* writtenElsewhere(db: Database, person: DataSubject) {
  for (let after = first; ; ) {
    const page = await listMessagesBy(db, person.workspace_ids, person, after, pageSize);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.id;
  }
}

/** The conversations that have words of a person: those that the person began, or wrote in. A conversation may come twice. */
export async function* conversationsWithWordsOf(
  db: Database,
  person: DataSubject,
): AsyncGenerator<{ workspace_id: string; id: string }> {
  yield* conversationsOf(db, person);
  for await (const page of writtenElsewhere(db, person))
    for (const { workspace_id, conversation_id } of page) yield { workspace_id, id: conversation_id };
}

/** The conversations that a person began, and what they wrote in those of others. */
export function makePersonalConversations(deps: {
  db: Database;
  exportConversation: ExportConversation;
}): PersonalRecords {
  const { db, exportConversation } = deps;

  async function* linesOf(person: DataSubject, count: () => void) {
    for await (const page of writtenElsewhere(db, person))
      for (const { parts, ...row } of page) {
        count();
        yield `${JSON.stringify({ ...row, parts: JSON.parse(parts) })}\n`;
      }
  }

  return {
    kind: 'conversations',

    async *entries(person, count): AsyncGenerator<ArchiveEntry> {
      for await (const { workspace_id, id } of conversationsOf(db, person)) {
        count();
        const { body } = await exportConversation(person.scopeIn(workspace_id), id, 'json');
        yield { name: `conversations/${id}.json`, content: body as AsyncIterable<Uint8Array> };
      }
      const marks = await listAllMarks(db, person.person_id);
      for (let counted = 0; counted < marks.length; counted++) count();
      if (marks.length > 0) yield { name: 'conversation-marks.json', content: [JSON.stringify(marks, null, 2)] };
      const shares = await listSharesWithPerson(db, person.person_id);
      for (let counted = 0; counted < shares.length; counted++) count();
      if (shares.length > 0) yield { name: 'conversation-shares.json', content: [JSON.stringify(shares, null, 2)] };
      yield { name: 'messages-in-other-conversations.ndjson', content: linesOf(person, count) };
    },

    async erase(person) {
      let [conversations, messages] = [0, 0];
      const conversation_marks = await deleteMarks(db, person.person_id);
      for await (const page of writtenElsewhere(db, person)) messages += await eraseMessages(db, page);
      for await (const { workspace_id, id } of conversationsOf(db, person))
        conversations += await retryOnDeadlock(() => deleteConversation(db, workspace_id, id));
      return { conversations, conversation_marks, messages_in_other_conversations: messages };
    },
  };
}
