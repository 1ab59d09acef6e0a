import { Readable } from 'node:stream';
import type { ConversationsBulk, ConversationsBulkAnswer } from '@atrium/contract/conversations/bulk-operations.ts';
import { AppError, invalid } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../../../db/database.ts';
import { retryOnDeadlock } from '../../../db/retry-on-deadlock.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ExportConversation } from '../conversation-export.ts';
import { onlyChangedBy } from '../is-visible.ts';
import { saveMarks } from '../marks/mark-store.ts';
import { requirePerson } from '../marks/marks.ts';
import * as store from './bulk-store.ts';

const mostTags = 10;

/** The marks that an action sets. */
const marksOf: Partial<
  Record<ConversationsBulk['action'], { pinned?: boolean; archived?: boolean; unread?: boolean }>
> = {
  archive: { archived: true },
  unarchive: { archived: false },
  pin: { pinned: true },
  unpin: { pinned: false },
  read: { unread: false },
  unread: { unread: true },
};

/** Many conversations in one request. */
export interface ManyConversations {
  change(scope: Scope, body: ConversationsBulk): Promise<ConversationsBulkAnswer>;
  export(scope: Scope, ids: readonly string[]): RawAnswer;
}

export function makeManyConversations(deps: {
  db: Database;
  exportConversation: ExportConversation;
}): ManyConversations {
  const { db, exportConversation } = deps;

  /** Whether the conversation would have more tags than one may. */
  const overflows = ({ action, tags = [] }: ConversationsBulk, row: store.BulkRow) =>
    action === 'tag' && new Set([...row.tags, ...tags]).size > mostTags;

  async function apply(tx: Db, scope: Scope, ids: readonly string[], { action, tags = [] }: ConversationsBulk) {
    const { workspace_id } = scope;
    if (action === 'delete') return store.deleteConversations(tx, workspace_id, ids);
    if (action === 'tag') return store.addTags(tx, workspace_id, ids, [...new Set(tags)]);
    if (action === 'untag') return store.removeTags(tx, workspace_id, ids, tags);
    return saveMarks(tx, workspace_id, ids, { person_id: requirePerson(scope), ...marksOf[action] });
  }

  async function* linesOf(scope: Scope, ids: readonly string[]) {
    for (const id of ids) {
      try {
        const { body } = await exportConversation(scope, id, 'json');
        yield `{"id":"${id}","done":true,"conversation":`;
        yield* body as AsyncIterable<string>;
        yield '}\n';
      } catch (error) {
        // Only what is found out before the first byte; a conversation that breaks off ends the stream.
        if (!(error instanceof AppError) || error.kind !== 'not_found') throw error;
        yield `${JSON.stringify({ id, done: false, code: error.code, message: error.message })}\n`;
      }
    }
  }

  return {
    async change(scope, body) {
      const { action } = body;
      if ((action === 'tag' || action === 'untag') && !body.tags)
        throw invalid(['body', 'tags'], 'this action needs the tags', null);
      if (marksOf[action]) requirePerson(scope);
      const ids = [...new Set(body.conversation_ids)];
      const change = async (tx: Db): Promise<ConversationsBulkAnswer> => {
        const rows = await store.lockConversations(tx, scope.workspace_id, ids, onlyChangedBy(scope));
        const seen = new Map(rows.map((row) => [row.id, row]));
        const items = ids.map((id) => {
          const row = seen.get(id);
          if (!row) return { id, done: false, code: 'not_found', message: 'No such conversation' };
          if (overflows(body, row))
            return { id, done: false, code: 'too_many_tags', message: `A conversation has at most ${mostTags} tags` };
          return { id, done: true, code: null, message: null };
        });
        const left = items.flatMap(({ id, done }) => (done ? [id] : []));
        if (left.length > 0) await apply(tx, scope, left, body);
        scope.audit?.note({
          target: { kind: 'workspace', id: scope.workspace_id },
          after: { action, conversation_ids: left },
        });
        return { done: left.length, failed: items.length - left.length, items };
      };
      return retryOnDeadlock(() => db.transaction(scope, change));
    },

    export: (scope, ids) =>
      new RawAnswer(Readable.from(linesOf(scope, [...new Set(ids)])), {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': 'attachment; filename="conversations.ndjson"',
        'x-content-type-options': 'nosniff',
      }),
  };
}
