import type { Db } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';

/** How long a node may be silent before its runs are taken over. */
export const lease = sql`now() + interval '10 seconds'`;

/** What tables of runs have in common: one node carries a run at a time, for as long as it keeps its lease. */
export function makeLeaseStore<Row>({ table, columns }: { table: Sql; columns: Sql }) {
  return {
    findRun: (db: Db, workspace_id: string, id: string) =>
      db.row<Row>(sql`select ${columns} from ${table} where workspace_id = ${workspace_id} and id = ${id}`),

    /** Undefined when it does not wait any more. */
    startRun: (db: Db, workspace_id: string, id: string, node_id: string) =>
      db.row<Row>(sql`
        update ${table} set status = 'running', node_id = ${node_id}, leased_until = ${lease}, started_at = now()
        where workspace_id = ${workspace_id} and id = ${id} and status = 'queued'
        returning ${columns}`),

    /** One that waits for people goes on here; undefined when it does not wait, or another was quicker. */
    resumeRun: (db: Db, workspace_id: string, id: string, node_id: string) =>
      db.row<Row>(sql`
        update ${table} set status = 'running', node_id = ${node_id}, leased_until = ${lease}
        where workspace_id = ${workspace_id} and id = ${id} and status = 'awaiting_human_feedback'
        returning ${columns}`),

    someWait: async (db: Db) =>
      (await db.row(sql`select 1 from ${table} where status = 'queued' limit 1`)) !== undefined,

    /** Nobody carries any run: for a node that knows itself alone. */
    lapseAll: (db: Db) =>
      db.run(sql`update ${table} set leased_until = now() where status = 'running' and node_id is not null`),

    /** A node that leaves lets go of its runs: whoever looks next takes them over. */
    releaseRuns: (db: Db, node_id: string) =>
      db.run(sql`
        update ${table} set node_id = null, leased_until = now() where node_id = ${node_id} and status = 'running'`),

    /**
     * Of the runs that a node carries, those that are still its own; they stay so for another while. One that is just
     * being written to is left for the next time: waiting for it would hold up all others.
     */
    renewLeases: (db: Db, node_id: string, ids: readonly string[]) =>
      db.rows<{ id: string; stop_requested: boolean }>(sql`
        update ${table} set leased_until = ${lease}
        where (workspace_id, id) in (
          select workspace_id, id from ${table}
          where id = any(${ids}::uuid[]) and node_id = ${node_id} and status = 'running' for update skip locked)
        returning id, stop_requested`),

    /** Of these runs, those that were deleted, with their conversation or whatever else they belonged to. */
    deletedRuns: async (db: Db, runs: readonly { group_id: string; id: string }[]) => {
      const rows = await db.rows<{ id: string }>(sql`
        select id from unnest(${runs.map(({ group_id }) => group_id)}::uuid[], ${runs.map(({ id }) => id)}::uuid[])
          as carried (group_id, id)
        where not exists (
          select 1 from ${table} as kept where kept.workspace_id = carried.group_id and kept.id = carried.id)`);
      return rows.map(({ id }) => id);
    },
  };
}
