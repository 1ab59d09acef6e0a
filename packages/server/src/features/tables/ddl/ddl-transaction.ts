import { setTimeout as sleep } from 'node:timers/promises';
import { conflict } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Scope } from '../../../lib/scope.ts';

const lockMs = 400;
const tries = 8;

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;
/** Somebody else holds the table; two of us held what the other wanted; or another has just taken the name we chose. */
const isBusy = (error: unknown) => ['55P03', '40P01', '23505'].includes(String(codeOf(error)));

/**
 * A transaction that changes what tables are. Whoever reads one meanwhile sees it as it was or as it is. Waiting for a
 * table makes everybody behind us wait too, so we give up soon, let them pass and come again.
 */
export async function runDdl<T>(
  db: Pick<Database, 'transaction'>,
  scope: Scope | undefined,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction(scope, async (tx) => {
        await tx.run(sql`
          select set_config('lock_timeout', ${`${lockMs}ms`}, true), set_config('statement_timeout', '300s', true)`);
        return work(tx);
      });
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (attempt === tries) throw conflict('The table is in use without a pause; try again later', 'table_busy');
      await sleep(20 * attempt + Math.random() * 100);
    }
}

class Undone extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super('Undone on purpose');
    this.result = result;
  }
}

/** The same, and then undone: what it would answer is told, and nothing has changed. */
export async function dryRunDdl<T>(db: Pick<Database, 'transaction'>, work: (tx: Db) => Promise<T>): Promise<T> {
  try {
    return await runDdl(db, undefined, async (tx) => {
      throw new Undone(await work(tx));
    });
  } catch (error) {
    if (error instanceof Undone) return error.result as T;
    throw error;
  }
}
