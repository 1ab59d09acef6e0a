import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { parseStored } from '../lib/json/parse-stored.ts';
import { errorFields, type Log } from '../lib/log.ts';
import { noteOutages } from '../lib/outages/database-outages.ts';
import type { Db } from './database.ts';
import { sql } from './sql.ts';

/**
 * Tells every node that something changed. A notification only says "look again": the tables hold the change itself,
 * so a lost notification costs time and never correctness.
 */
export interface Notifier {
  /** Sends one notification per note: when the transaction commits, or at once outside of a transaction. */
  notify(db: Db, topic: string, ...notes: readonly string[]): Promise<void>;
  /** Calls this node's own listeners directly; used right after the commit of a notification, to save the round trip. */
  notifyLocal(topic: string, note?: string): void;
  /** Returns a function that stops listening. */
  on(topic: string, listener: (note: string) => void): () => void;
  /** Called when notifications may have been missed, so that caches drop their entries. */
  onMissed(listener: () => void): void;
  /** Called when the server does not even take a new connection. */
  onUnreachable(listener: () => void): void;
  /** False while the connection that receives notifications is down, or has been silent for too long. */
  readonly isListening: boolean;
  close(): Promise<void>;
}

/** Nodes of different versions share this channel, so its name stays. */
const channel = 'atrium_bell';

/**
 * A connection that a router or the other side has dropped without a word looks open. So each node notifies itself, and
 * connects anew when it has not heard itself for a while.
 */
const [checkEvery, deafAfter, connectWithin] = [5000, 10_000, 3000];

function destroy(client: pg.Client): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

export async function openNotifier(connection: pg.ClientConfig, log: Log): Promise<Notifier> {
  const listeners = new Map<string, Set<(note: string) => void>>();
  const missed = new Set<() => void>();
  const unreachable = new Set<() => void>();
  /** Where this node alone listens. */
  const ownChannel = `atrium_self_${randomBytes(8).toString('hex')}`;
  let heard_at = Date.now();
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  function callListeners(topic: string, note: string): void {
    for (const listener of listeners.get(topic) ?? []) listener(note);
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...connection,
      application_name: `atrium ${process.pid} bell`,
      connectionTimeoutMillis: connection.connectionTimeoutMillis ?? connectWithin,
      query_timeout: deafAfter,
      ...{ keepAlive: true, keepAliveInitialDelayMillis: deafAfter },
    });
    next.on('notification', ({ payload, channel: on }) => {
      heard_at = Date.now();
      if (on === ownChannel) return;
      const [topic, note] = parseStored<[string, string]>(payload ?? '[]');
      callListeners(topic, note);
    });
    next.on('error', (error) => log.warn('The notification connection was lost', errorFields(error)));
    next.on('end', () => {
      if (client === next) lost();
    });
    try {
      await next.connect();
      await next.query(`listen ${channel}; listen ${ownChannel}`);
    } catch (error) {
      // The connection failed already; the caller gets that error.
      next.end().catch(() => {});
      if (error instanceof Error && /^(timeout expired|Query read timeout)$/.test(error.message))
        for (const listener of unreachable) listener();
      throw error;
    }
    heard_at = Date.now();
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

  function checkHearing(): void {
    const checked = client;
    if (!checked) return;
    if (Date.now() - heard_at > deafAfter) {
      log.warn('notifier.silent', { seconds: Math.round((Date.now() - heard_at) / 1000) });
      lost();
      destroy(checked);
    } else checked.query('select pg_notify($1, $2)', [ownChannel, '']).catch(() => {});
  }

  await noteOutages(connect());
  const checks = setInterval(checkHearing, checkEvery);
  checks.unref();

  return {
    notify: async (db, topic, ...notes) => {
      const payloads = (notes.length ? notes : ['']).map((note) => JSON.stringify([topic, note]));
      await db.run(sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`);
    },
    notifyLocal: (topic, note = '') => callListeners(topic, note),
    on(topic, listener) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      return () => void set.delete(listener);
    },
    onMissed: (listener) => void missed.add(listener),
    onUnreachable: (listener) => void unreachable.add(listener),
    get isListening() {
      return client !== undefined && Date.now() - heard_at <= deafAfter;
    },
    async close() {
      closed = true;
      clearInterval(checks);
      clearTimeout(retry);
      const last = client;
      if (!last) return;
      // A server that can't be reached does not say goodbye.
      const cut = setTimeout(() => destroy(last), 1000);
      await last.end();
      clearTimeout(cut);
    },
  };
}
