import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';

export type OpenCalls = ReturnType<typeof makeOpenCalls>;

const topic = 'mcp-cancel';

/**
 * Calls that are under way, by who made them. A client calls one off in a request of its own, which may come to another
 * node; so all are told, and whoever has it stops it. Only what the same key began in the same session is meant.
 */
export function makeOpenCalls({ db, notifier }: { db: Database; notifier: Notifier }) {
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
      // Longer ones do not fit into a notice, and no honest client has them.
      if (key.length < 1000) await notifier.notify(db, topic, key);
    },
  };
}
