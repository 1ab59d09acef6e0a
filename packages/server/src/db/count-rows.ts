import { LruCache } from '../lib/lru-cache.ts';
import type { Db } from './database.ts';
import { compile, type Sql, sql } from './sql.ts';

/** From this many rows on, a list's total may be a few seconds old: counting them each time would cost more than the page. */
const exactUpTo = 10_000;
const freshMs = 5_000;
const keptMs = 60_000;
const mostCounts = 1_000;

interface Counted {
  total: number;
  at: number;
  isCounting: boolean;
}

const counts = new WeakMap<Db, LruCache<string, Counted>>();

/**
 * The number of rows of `from …`. A large one is kept for a few seconds and counted again beside the request, so that a list
 * costs the same however long it is.
 */
export async function countRows(db: Db, from: Sql): Promise<number> {
  const statement = sql`select count(*) as total ${from}`;
  const { text, values } = compile(statement);
  const key = JSON.stringify([text, values]);
  const known = counts.get(db) ?? new LruCache<string, Counted>({ max: mostCounts });
  counts.set(db, known);
  const count = async () => {
    const { total } = await db.one<{ total: number }>(statement);
    if (total > exactUpTo) known.set(key, { total, at: Date.now(), isCounting: false });
    else known.delete(key);
    return total;
  };
  const last = known.get(key);
  if (!last || Date.now() - last.at > keptMs) return count();
  if (Date.now() - last.at > freshMs && !last.isCounting) {
    last.isCounting = true;
    // A count that fails leaves the last one, and the next request tries again.
    void count().catch(() => {
      last.isCounting = false;
    });
  }
  return last.total;
}
