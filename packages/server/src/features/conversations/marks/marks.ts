import { isDeepStrictEqual } from 'node:util';
import type { ConversationMarks, ConversationMarksChange } from '@atrium/contract/conversations/mark-operations.ts';
import { conflict, notFound } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../../../db/database.ts';
import { personBehind, type Scope } from '../../../lib/scope.ts';
import type { Conversations } from '../service.ts';
import * as store from './mark-store.ts';

/** What each person has pinned, archived and read. */
export interface Marks {
  get(scope: Scope, id: string): Promise<ConversationMarks>;
  change(scope: Scope, id: string, change: ConversationMarksChange): Promise<ConversationMarks>;
}

/** A conversation as far as it can be unread. */
interface Readable {
  message_count: number;
  person_id: string | null;
}

export function requirePerson(scope: Scope): string {
  const person_id = personBehind(scope);
  if (person_id === null)
    throw conflict('Only people mark conversations, and this key belongs to none', 'not_a_person');
  return person_id;
}

/** Without a mark, only one's own conversations are unread: else all of a workspace would be, for those who see all. */
const isUnread = (row: Readable, mark: store.MarkRow | undefined, person_id: string) =>
  row.message_count > (mark?.read_count ?? (row.person_id === person_id ? 0 : row.message_count));

/** The marks of a person by conversation; none without a person. */
export async function readMarks(db: Db, workspace_id: string, person_id: string | null, ids: readonly string[]) {
  const rows = person_id === null ? [] : await store.listMarks(db, workspace_id, person_id, ids);
  return new Map(rows.map((row) => [row.conversation_id, row]));
}

/** The marks of a conversation as lists show them. */
export const flagsOf = (row: Readable, mark: store.MarkRow | undefined, person_id: string | null) => ({
  pinned: !!mark?.pinned_at,
  archived: !!mark?.archived_at,
  unread: person_id !== null && isUnread(row, mark, person_id),
});

/** The tags after a change, each once; the same list when nothing changes. */
export function changeTags(before: string[], sent: readonly string[] | undefined): string[] {
  const after = [...new Set(sent ?? before)];
  return isDeepStrictEqual(after, before) ? before : after;
}

export function makeMarks({ db, conversations }: { db: Database; conversations: Pick<Conversations, 'find'> }): Marks {
  const answer = (row: Readable, mark: store.MarkRow | undefined, person_id: string): ConversationMarks => ({
    pinned_at: mark?.pinned_at ?? null,
    archived_at: mark?.archived_at ?? null,
    unread: isUnread(row, mark, person_id),
  });

  return {
    async get(scope, id) {
      const row = await conversations.find(scope, id);
      const person_id = requirePerson(scope);
      const marks = await readMarks(db, scope.workspace_id, person_id, [id]);
      return answer(row, marks.get(id), person_id);
    },

    async change(scope, id, { pinned, archived, unread }) {
      const row = await conversations.find(scope, id);
      const person_id = requirePerson(scope);
      return db.transaction(scope, async (tx) => {
        const [mark] = await store.saveMarks(tx, scope.workspace_id, [id], { person_id, pinned, archived, unread });
        if (!mark) throw notFound('conversation');
        // A message may have come since the row was read.
        return { ...answer(row, mark, person_id), ...(unread !== undefined && { unread }) };
      });
    },
  };
}
