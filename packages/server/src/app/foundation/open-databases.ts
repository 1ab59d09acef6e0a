import type { PoolConfig } from 'pg';
import { type Database, openDatabase } from '../../db/database.ts';
import { makeDatabaseReadiness } from '../../db/state/database-readiness.ts';
import type { Log } from '../../lib/log.ts';
import { type Closing, closeInOrder } from './close-in-order.ts';

interface Options {
  connection: PoolConfig;
  /** The same database without a pooler, when the first connection leads through one. */
  direct: PoolConfig | undefined;
  db_pool: number;
  log: Log;
}

/** The connections of a process to its database, and the order in which everything on them is closed. */
export interface Databases {
  db: Database;
  /** An address where notifications, migrations and locks of a session work. */
  unpooled: PoolConfig;
  /** Opens a further pool; its connections go through the pooler unless `direct` is said. */
  open(max: number, way?: 'direct'): Database;
  isPooled: boolean;
  readDatabaseReadiness: ReturnType<typeof makeDatabaseReadiness>;
  closing: Closing;
  /** Ends all connections at once, after the server was not reached for long. */
  cut(): void;
  close(): Promise<void>;
}

export function openDatabases({ connection, direct, db_pool, log }: Options): Databases {
  const isPooled = direct !== undefined;
  const unpooled = direct ?? connection;
  const db = openDatabase({ connection, max: db_pool, log, pooled: isPooled });
  const opened = [db];
  const closing = closeInOrder();
  closing.push(() => db.close());
  const readDatabaseReadiness = makeDatabaseReadiness(db.pool);
  return {
    ...{ db, unpooled, isPooled, readDatabaseReadiness, closing },
    open(max, way) {
      const own = openDatabase(
        way === 'direct' ? { connection: unpooled, max, log } : { connection, max, log, pooled: isPooled },
      );
      closing.push(() => own.close());
      opened.push(own);
      return own;
    },
    cut() {
      for (const own of opened) own.cut();
    },
    async close() {
      if ((await readDatabaseReadiness(2000)) === 'unreachable') for (const own of opened) own.abandon();
      await closing.closeAll();
    },
  };
}
