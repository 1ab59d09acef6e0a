import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';

export interface OpenCalls {
  /** Registers a call. Its signal aborts when the client cancels the call; `end` removes the entry. */
  begin(actor: string, session: string, id: string | number): { signal: AbortSignal; end(): void };
  /** Cancels a call on the node that runs it. */
  cancel(actor: string, session: string, id: string | number): Promise<void>;
}

const topic = 'mcp-cancel';

/**
 * The calls in progress, by the key and session that made them. A client cancels a call by a separate request, which may
 * reach another node; so every node is notified, and the one that runs the call stops it. A key can cancel only its own calls.
 */
export function makeOpenCalls({ db, notifier }: { db: Database; notifier: Notifier }): OpenCalls {
  const open = new Map<string, AbortController>();
  const keyOf = (actor: string, session: string, id: string | number) => JSON.stringify([actor, session, id]);
  notifier.on(topic, (key) => open.get(key)?.abort());

  return {
    begin(actor: string, session: string, id: string | number) {
      const key = keyOf(actor, session, id);
      const abort = new AbortController();
      open.set(key, abort);
      return { signal: abort.signal, end: () => void (open.get(key) === abort && open.delete(key)) };
    },

    async cancel(actor: string, session: string, id: string | number): Promise<void> {
      const key = keyOf(actor, session, id);
      open.get(key)?.abort();
      // A longer key does not fit into a notification; no real client has one.
      if (key.length < 1000) await notifier.notify(db, topic, key);
    },
  };
}
