import { setTimeout as sleep } from 'node:timers/promises';
import { conflict } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../../../db/database.ts';
import { errorCode } from '../../../lib/error-code.ts';
import type { Scope } from '../../../lib/scope.ts';
import { setDdlTimeouts } from './ddl-store.ts';

const lockMs = 400;
const tries = 8;

const codeOf = (error: unknown) => errorCode(error);
/** The table is locked, two transactions deadlocked, or another transaction has just taken the name. */
const isBusy = (error: unknown) => ['55P03', '40P01', '23505'].includes(String(codeOf(error)));

/**
 * Runs a transaction that changes the structure of tables. A DDL statement that waits for a lock blocks all readers
 * behind it, so it gives up soon, lets them pass and tries again.
 */
export async function runDdl<T>(
  db: Pick<Database, 'transaction'>,
  scope: Scope | undefined,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await db.transaction(scope, async (tx) => {
        await tx.run(setDdlTimeouts(lockMs));
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

/** Runs the transaction, rolls it back and returns its result. */
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
