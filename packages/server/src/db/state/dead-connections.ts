import pg from 'pg';
import { errorFields, type Log } from '../../lib/log.ts';
import { backendOf, breakConnection, socketOf, type WatchedClient } from './watched-client.ts';

/** How often the connections are looked at, and how long a look may take. */
const [lookEveryMs, lookWithinMs] = [1000, 2000];

/** A statement that waits for its answer, and what has gone over its connection by then. */
interface Wait {
  statement: number;
  /** Bytes that have come, and bytes that the system has taken. */
  received: number;
  sent: number;
}

/** Nothing while the system has not taken all of the statement: a long one is on its way. */
function waitOf(client: WatchedClient): Wait | undefined {
  const statement = client.waitingStatement;
  if (statement === undefined || backendOf(client) === null) return undefined;
  const { bytesRead, bytesWritten, writableLength } = socketOf(client);
  return writableLength > 0 ? undefined : { statement, received: bytesRead, sent: bytesWritten };
}

/** Nothing has moved since: neither has another statement begun nor a byte of a long one come through. */
const isSame = (wait: Wait | undefined, before: Wait | undefined) =>
  wait !== undefined &&
  wait.statement === before?.statement &&
  wait.received === before.received &&
  wait.sent === before.sent;

interface Backend {
  pid: number;
  /** Of the connection that asks. */
  own_pid: number;
  /** The backend waits for its client, so that it has nothing to answer. */
  waits: boolean;
}

/** Rows for backends that are there, and one more for the connection that asks. */
const backendsQuery = `
  select pid, pg_backend_pid() as own_pid, coalesce(wait_event = 'ClientRead', false) as waits
  from pg_stat_activity where pid = any($1) or pid = pg_backend_pid()`;

/**
 * Breaks connections whose statement can't be answered any more: this process waits for the backend, and the backend
 * waits for this process or is gone. That is so when a firewall or a proxy has lost bytes or forgotten a connection, which
 * neither side is told. A statement that only takes long is left alone. The returned function stops watching.
 *
 * Each look compares with the one before: a connection is dead when both found it so with the same statement, and no byte
 * has moved between them. The backend waits for its client also while a long statement is on its way to it. Behind a pooler
 * the number of a backend is not known, so that nothing is broken there.
 */
export function breakDeadConnections(options: {
  /** All connections that are open. */
  clients: ReadonlySet<WatchedClient>;
  /** For the looks. */
  connection: pg.ClientConfig;
  log: Log;
}): () => void {
  const { clients, connection, log } = options;
  let waiting = new Map<WatchedClient, Wait>();
  let suspects = new Map<WatchedClient, Wait>();
  let looking = false;
  /** The connection of a look under way. */
  let asking: pg.Client | undefined;

  async function readBackends(pids: readonly number[]): Promise<Backend[] | undefined> {
    const limits = { connectionTimeoutMillis: lookWithinMs, query_timeout: lookWithinMs };
    const client = new pg.Client({ ...connection, ...limits, application_name: `atrium ${process.pid} looks` });
    client.on('error', () => {});
    asking = client;
    try {
      await client.connect();
      const { rows } = await client.query<Backend>(backendsQuery, [pids]);
      return rows[0]?.own_pid === backendOf(client) ? rows : undefined;
    } finally {
      asking = undefined;
      breakConnection(client);
    }
  }

  async function look(): Promise<void> {
    const before = waiting;
    waiting = new Map();
    for (const client of clients) {
      const wait = waitOf(client);
      if (wait) waiting.set(client, wait);
    }
    const late = [...waiting].filter(([client, wait]) => isSame(wait, before.get(client)));
    const suspected = suspects;
    suspects = new Map();
    if (late.length === 0) return;
    const backends = await readBackends(late.map(([client]) => backendOf(client) as number));
    if (!backends) return;
    const busy = new Set(backends.flatMap(({ pid, waits }) => (waits ? [] : pid)));
    for (const [client, wait] of late) {
      // Its answer may have come meanwhile.
      if (busy.has(backendOf(client) as number) || !isSame(waitOf(client), wait)) continue;
      if (!isSame(wait, suspected.get(client))) suspects.set(client, wait);
      else {
        log.warn('database.connection-dead', { backend: backendOf(client) });
        breakConnection(client);
      }
    }
  }

  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      // The server can't be reached at all, which the notifier notices.
      .catch((error) => log.debug('Connections were not looked at', errorFields(error)))
      .finally(() => {
        looking = false;
      });
  }, lookEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (asking) breakConnection(asking);
  };
}
