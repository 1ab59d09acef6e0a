import type pg from 'pg';
import { asError } from '../lib/as-error.ts';
import { openPool, type PoolOptions } from './database.ts';

/** Connections for statements that callers write, apart from those that the program itself needs. */
export interface QueryConnections {
  connect(): Promise<pg.PoolClient>;
  /** For ending a statement from outside. */
  watch: pg.Pool;
  close(): Promise<void>;
}

/** Sets the memory that a backend may take; false where that is not possible. */
export type LimitMemory = (pid: number, bytes: number) => Promise<boolean>;

interface Options extends PoolOptions {
  /** Given for a server that runs beside us and that we may limit. */
  limitMemory?: LimitMemory | undefined;
  memory_bytes: number;
}

/** A backend keeps what it has learned of tables, and its memory in pieces: it is replaced after a while. */
const lifetimeSeconds = 300;

export function openQueryConnections({ limitMemory, memory_bytes, ...options }: Options): QueryConnections {
  const pool = openPool(options, { maxLifetimeSeconds: lifetimeSeconds, idleTimeoutMillis: 10_000 });
  const watch = openPool(
    { ...options, max: 1 },
    { idleTimeoutMillis: 10_000, connectionTimeoutMillis: 5000, query_timeout: 5000 },
  );
  /** Those whose limit was set, or tried to be. */
  const limited = new WeakSet<pg.PoolClient>();
  let isWarned = false;

  async function limit(client: pg.PoolClient): Promise<void> {
    if (!limitMemory || limited.has(client)) return;
    limited.add(client);
    const { processID } = client as unknown as { processID: number };
    if (!(await limitMemory(processID, memory_bytes)) && !isWarned) {
      isWarned = true;
      options.log.warn('query.memory_unlimited', {
        reason: 'prlimit is missing or may not limit the database server; install util-linux, on Linux',
      });
    }
  }

  return {
    watch,
    async connect() {
      const client = await pool.connect();
      try {
        await limit(client);
      } catch (error) {
        client.release(asError(error));
        throw error;
      }
      return client;
    },
    async close() {
      await Promise.all([pool.end(), watch.end()]);
    },
  };
}
