import type pg from 'pg';

/** How long after each step the next one follows. */
const [terminateAfterMs, dropAfterMs] = [1000, 3000];

interface Watched {
  /** Connections of its own: it must not wait for those that are busy. */
  pool: pg.Pool;
  /** The backend that runs the statement. */
  pid: number;
  ms: number;
  /** Gives the connection up on our side. */
  drop(): void;
}

/**
 * Ends a statement from outside when its time is over: statement_timeout can be caught by a statement, and is not
 * looked at in every state. The backend is asked to cancel, then to end; a connection to one that does neither is
 * dropped. The returned function stops watching and answers whether the statement had to be ended; the connection is
 * then not used again, since a late cancel would hit the next statement.
 */
export function watchDeadline({ pool, pid, ms, drop }: Watched): () => Promise<boolean> {
  let ending: Promise<unknown> | undefined;
  const signalBackend = (call: 'pg_cancel_backend' | 'pg_terminate_backend') => () => {
    ending = Promise.allSettled([ending, pool.query(`select ${call}($1)`, [pid])]);
  };
  const timers = [
    setTimeout(signalBackend('pg_cancel_backend'), ms),
    setTimeout(signalBackend('pg_terminate_backend'), ms + terminateAfterMs),
    setTimeout(drop, ms + dropAfterMs),
  ];
  return async () => {
    for (const timer of timers) clearTimeout(timer);
    await ending;
    return ending !== undefined;
  };
}
