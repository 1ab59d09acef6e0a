import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Clock } from '../lib/clock.ts';
import type { DueWork } from '../lib/due-work.ts';
import type { Database, Db } from './database.ts';
import { type ListColumns, listConditions } from './list-query.ts';
import { readPage } from './read-page.ts';
import { literal, nothing, type Sql, sql } from './sql.ts';

/** How many are tried at once, and for how many milliseconds one is this node's before another tries it too. */
interface Taking {
  at_once: number;
  lease: number;
}

const listColumns: ListColumns = { id: sql`id`, created_at: sql`created_at`, ids_rise: true };

const iso = (time: number) => new Date(time).toISOString();

/**
 * The statements that all delivery tables share: a row is pending until an attempt succeeds or the attempts are used
 * up, has a due time, belongs to a record of its workspace, and is kept for a month afterwards.
 */
export function deliveryTable<Row extends { status: string }>({
  table,
  owner,
  columns,
}: {
  table: Sql;
  owner: Sql;
  columns: Sql;
}) {
  /** Those whose time has come, this node's for a while: one that dies in the middle lets them go by waiting. */
  const takeDue = (db: Db, now: string, until: string, limit: number) =>
    db.rows<Row>(sql`
      update ${table} set attempts = attempts + 1, next_attempt_at = ${until}
      where (workspace_id, id) in (
        select workspace_id, id from ${table} where status = 'pending' and next_attempt_at <= ${now}
        order by next_attempt_at limit ${limit} for update skip locked)
      returning ${columns}`);

  const nextDue = (db: Db) =>
    db.row<{ at: string | null }>(sql`select min(next_attempt_at) as at from ${table} where status = 'pending'`);

  return {
    findDelivery: (db: Db, workspace_id: string, owner_id: string, id: string) =>
      db.row<Row>(sql`
        select ${columns} from ${table}
        where workspace_id = ${workspace_id} and ${owner} = ${owner_id} and id = ${id}`),

    async listDeliveries(
      db: Db,
      workspace_id: string,
      owner_id: string,
      { status, ...filter }: ListFilter & { status?: Row['status'] | undefined },
      window: PageWindow,
      /** A further condition, after an `and`. */
      among: Sql = nothing,
    ) {
      // In the statement itself: only so an index of the failed ones is known to hold what is asked for.
      const having = status ? sql`and status = ${literal(status)}` : nothing;
      const where = sql`workspace_id = ${workspace_id} and ${owner} = ${owner_id} ${having} ${among}
        ${listConditions(listColumns, filter)}`;
      return readPage<Row>(db, { columns, from: table, where, list: listColumns, window });
    },

    /** Attempts everything that is due and returns when the next delivery is due. */
    tryDue:
      (
        { db, clock }: { db: Database; clock: Clock },
        { at_once, lease }: Taking,
        attempt: (row: Row, signal: AbortSignal) => Promise<void>,
      ): DueWork['work'] =>
      async (signal) => {
        for (let taken = at_once; taken === at_once; ) {
          signal.throwIfAborted();
          const now = clock.now();
          const due = await takeDue(db, iso(now), iso(now + lease), at_once);
          await Promise.all(due.map((row) => attempt(row, signal)));
          taken = due.length;
        }
        const next = await nextDue(db);
        return next?.at ? Date.parse(next.at) : undefined;
      },

    removeOld: (db: Db) =>
      db.run(sql`delete from ${table} where created_at < now() - interval '30 days' and status <> 'pending'`),
  };
}
