import pg from 'pg';
import { errorFields, type Log } from '../lib/log.ts';
import type { Db } from './database.ts';
import { sql } from './sql.ts';

/**
 * Tells every node that something changed. A bell only says "look again": what changed is in the tables, so one that
 * is lost costs a moment and never the truth.
 */
export interface Notifier {
  /** Rings when the transaction commits, or at once outside of one; once for each note. */
  ring(db: Db, topic: string, ...notes: readonly string[]): Promise<void>;
  /** Tells this node's own listeners without the way through the database; for right after a commit that rang. */
  tellOwn(topic: string, note?: string): void;
  /** Returns a function that stops listening. */
  on(topic: string, listener: (note: string) => void): () => void;
  /** Called when bells may have been missed: whoever caches must forget. */
  onMissed(listener: () => void): void;
  /** False while bells can't be heard. */
  readonly hearing: boolean;
  close(): Promise<void>;
}

const channel = 'atrium_bell';

export async function openNotifier(connection: pg.ClientConfig, log: Log): Promise<Notifier> {
  const listeners = new Map<string, Set<(note: string) => void>>();
  const missed = new Set<() => void>();
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  function tell(topic: string, note: string): void {
    for (const listener of listeners.get(topic) ?? []) listener(note);
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...connection, application_name: `atrium ${process.pid} bell`, keepAlive: true });
    next.on('notification', ({ payload }) => {
      const [topic, note] = JSON.parse(payload ?? '[]') as [string, string];
      tell(topic, note);
    });
    next.on('error', (error) => log.warn('The bell connection was lost', errorFields(error)));
    next.on('end', () => {
      if (client === next) lost();
    });
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
    } catch (error) {
      next.end().catch(() => {});
      throw error;
    }
    // Closed while the connection was being made.
    if (closed) return next.end();
    client = next;
    for (const listener of missed) listener();
  }

  function lost(): void {
    client = undefined;
    if (closed) return;
    for (const listener of missed) listener();
    retry = setTimeout(() => connect().catch(lost), 250 + Math.random() * 500);
  }

  await connect();

  return {
    ring: async (db, topic, ...notes) => {
      const payloads = (notes.length ? notes : ['']).map((note) => JSON.stringify([topic, note]));
      await db.run(sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`);
    },
    tellOwn: (topic, note = '') => tell(topic, note),
    on(topic, listener) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      return () => void set.delete(listener);
    },
    onMissed: (listener) => void missed.add(listener),
    get hearing() {
      return client !== undefined;
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
