import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { asError } from '../lib/as-error.ts';
import { errorCode } from '../lib/error-code.ts';
import { isOutage } from '../lib/outages/is-outage.ts';

/** What the queue repeats: the first after 50 ms, then in pauses of up to 5 s; the second after 3 s, up to 120 s. */
const [soon, later] = ['40001', '57P03'];

/** The server answers and refuses: it is a standby, or has no room. That may last. */
const isRefusal = (error: unknown) => /^(25006$|53)/.test(String(errorCode(error)));

/** Marks an outage so that the queue repeats its statement: it knows few of the errors that say that the database is away. */
function markOutage(error: unknown): never {
  throw isOutage(error) ? Object.assign(asError(error), { code: isRefusal(error) ? later : soon }) : error;
}

/** How often it is tried to connect while the database is away, and looked whether the pool was ended meanwhile. */
const pauseMs = 400;

/** For a queue that ends after its pool: it finds no jobs and ends none. Another worker gets those that are left. */
const closedClient = {
  query: async () => ({ rows: [], rowCount: 0 }),
  release() {},
} as unknown as pg.PoolClient;

/** A connection, or undefined when the pool is ended meanwhile: it does not answer those that wait for one then. */
async function connectUnlessEnded(pool: pg.Pool): Promise<pg.PoolClient | undefined> {
  const stopped = new AbortController();
  const client = pool.connect();
  const ended = (async () => {
    while (!pool.ending) await sleep(pauseMs, undefined, { signal: stopped.signal });
  })();
  ended.catch(() => {});
  try {
    const winner = await Promise.race([client, ended]);
    if (winner) return winner;
    client.then(
      (late) => late.release(true),
      () => {},
    );
    return undefined;
  } finally {
    stopped.abort();
  }
}

/** Tries until the database is back, in short pauses: those of the queue grow to minutes, in which jobs would stand still. */
async function connectThroughOutage(pool: pg.Pool): Promise<pg.PoolClient | undefined> {
  while (!pool.ending) {
    try {
      return await connectUnlessEnded(pool);
    } catch (error) {
      if (pool.ending) return undefined;
      if (!isOutage(error)) throw error;
      await sleep(pauseMs);
    }
  }
  return undefined;
}

/**
 * The pool as the queue uses it. The queue does not wait for the statement that ends a job, so an error that it does not
 * repeat would end the process: a job that ends while the database is away would take all runs of the node along. The
 * statements have an effect only while the job is this worker's, so that one that was lost on the way can be repeated.
 */
export function makeQueuePool(pool: pg.Pool): pg.Pool {
  async function connect(): Promise<pg.PoolClient> {
    const client = await connectThroughOutage(pool);
    if (!client) return closedClient;
    let isBroken = false;
    const query = (...given: Parameters<pg.PoolClient['query']>) =>
      Promise.resolve(client.query(...given)).catch((error: unknown) => {
        isBroken ||= isOutage(error);
        return markOutage(error);
      });
    const release = (error?: boolean | Error) => client.release(error ?? isBroken);
    return Object.create(client, { query: { value: query }, release: { value: release } });
  }

  return new Proxy(pool, {
    get(target, name) {
      // With a callback it is the connection that listens, which the queue opens anew by itself.
      if (name === 'connect') return (callback?: never) => (callback ? target.connect(callback) : connect());
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
