import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** `read_only`: the server is a standby, or otherwise refuses writes. */
export type DatabaseReadiness = 'ok' | 'unreachable' | 'read_only';

const query = `select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only`;

/** Whether statements are answered within the limit, and may write. A question that is under way answers all who ask. */
export function makeDatabaseReadiness(pool: pg.Pool): (limit_ms?: number) => Promise<DatabaseReadiness> {
  let asking: Promise<DatabaseReadiness> | undefined;

  async function ask(limit_ms: number): Promise<DatabaseReadiness> {
    const { rows } = await pool.query<{ read_only: boolean }>({
      text: query,
      query_timeout: limit_ms,
    } as pg.QueryConfig);
    return rows[0]?.read_only ? 'read_only' : 'ok';
  }

  return async (limit_ms = 5000) => {
    const given_up = new AbortController();
    asking ??= ask(limit_ms)
      // The cause is in the errors of the requests that need the database.
      .catch(() => 'unreachable' as const)
      .finally(() => {
        asking = undefined;
      });
    // The pool may have no connection to give, which its own limit notices later.
    const late = sleep(limit_ms, 'unreachable' as const, { signal: given_up.signal, ref: false });
    late.catch(() => {});
    return Promise.race([asking, late]).finally(() => given_up.abort());
  };
}
