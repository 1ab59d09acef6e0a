import { LruCache } from '../../../lib/lru-cache.ts';
import type { ConversationRow } from '../store.ts';

/** A conversation as it was inserted, and the transaction that inserted it (`xmin`). */
interface FreshConversation {
  row: ConversationRow;
  row_version: string;
}

export type FreshConversations = ReturnType<typeof makeFreshConversations>;

/** Of settings and rows, in characters. */
const keepMost = 8_000_000;
const keepFor = 60_000;

/**
 * Remembers conversations that this node has just created, so that their first message need not read them. The statement
 * that stores the message demands the same version of the row, so a conversation that was changed is read after all.
 */
export function makeFreshConversations() {
  const known = new LruCache<string, FreshConversation & { until: number }>({
    max: keepMost,
    weigh: ({ row }) => 1000 + (row.settings?.length ?? 0),
  });
  return {
    remember(row: ConversationRow, row_version: string): void {
      known.set(`${row.group_id} ${row.id}`, { row, row_version, until: Date.now() + keepFor });
    },

    /** Each is taken once. */
    take(workspace_id: string, id: string): FreshConversation | undefined {
      const key = `${workspace_id} ${id}`;
      const fresh = known.get(key);
      known.delete(key);
      return fresh && Date.now() < fresh.until ? fresh : undefined;
    },
  };
}
