import type { Socket } from 'node:net';
import pg from 'pg';
import { errorFields, type Log } from '../../lib/log.ts';

/** How often the connections are looked at, and how long a look may take. */
const [lookEveryMs, lookWithinMs] = [1000, 2000];

/** The parts of the driver's client that it does not declare. */
interface ClientState {
  /** The backend of the connection, or a number that a pooler made up. */
  processID: number | null;
  /** The statement that waits for its answer. */
  _activeQuery: object | null;
  /** Of bytes given to a socket at once, its handle knows how many the system has not taken yet. */
  connection: { stream: Socket & { _handle?: { writeQueueSize?: number } | null } };
}
const stateOf = (client: pg.Client) => client as unknown as ClientState;

/** Breaks a connection without a word to the server; a statement that waits for its answer fails. */
export const breakConnection = (client: pg.Client): void => void stateOf(client).connection.stream.destroy();

/** A statement that waits for its answer, and what has gone over its connection by then. */
interface Wait {
  query: object;
  /** Bytes that have come, bytes of messages that the system has taken whole, and what is left of the one under way. */
  received: number;
  sent: number;
  queued: number;
}

function waitOf(client: pg.Client): Wait | undefined {
  const { _activeQuery: query, processID, connection } = stateOf(client);
  if (!query || processID === null) return undefined;
  const { bytesRead, bytesWritten, writableLength, _handle } = connection.stream;
  return { query, received: bytesRead, sent: bytesWritten - writableLength, queued: _handle?.writeQueueSize ?? 0 };
}

/** Nothing has moved since: neither has another statement begun nor a byte of a long one come through. */
const isSame = (wait: Wait | undefined, before: Wait | undefined) =>
  wait !== undefined &&
  wait.query === before?.query &&
  wait.received === before.received &&
  wait.sent === before.sent &&
  wait.queued === before.queued;

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
  clients: ReadonlySet<pg.Client>;
  /** For the looks. */
  connection: pg.ClientConfig;
  log: Log;
}): () => void {
  const { clients, connection, log } = options;
  let waiting = new Map<pg.Client, Wait>();
  let suspects = new Map<pg.Client, Wait>();
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
      return rows[0]?.own_pid === stateOf(client).processID ? rows : undefined;
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
    const backends = await readBackends(late.map(([client]) => stateOf(client).processID as number));
    if (!backends) return;
    const busy = new Set(backends.flatMap(({ pid, waits }) => (waits ? [] : pid)));
    for (const [client, wait] of late) {
      // Its answer may have come meanwhile.
      if (busy.has(stateOf(client).processID as number) || !isSame(waitOf(client), wait)) continue;
      if (!isSame(wait, suspected.get(client))) suspects.set(client, wait);
      else {
        log.warn('database.connection-dead', { backend: stateOf(client).processID });
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

/** Answers those that wait for a connection of a pool that was ended; it leaves them waiting until their time is over. */
export function refuseWaiting(pool: pg.Pool): void {
  const { _pendingQueue } = pool as unknown as { _pendingQueue: { callback(error: Error): void }[] };
  for (const { callback } of _pendingQueue.splice(0))
    callback(new Error('Cannot use a pool after calling end on the pool'));
}
