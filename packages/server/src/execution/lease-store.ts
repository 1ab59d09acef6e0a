import type { Db } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';

/** When a lease expires that is not renewed, so that other nodes take the run over. */
export const lease = sql`now() + interval '10 seconds'`;

/** How often a node renews its leases. */
export const renewEveryMs = 3000;

/** For so long after its last renewal, a lease is known to last without asking. */
export const leaseIsSureMs = 7000;

/** The statements that all tables of runs share. One node executes a run at a time, as long as it renews its lease. */
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

    /** Resumes a run that waits for people on this node; undefined when it does not wait any more. */
    resumeRun: (db: Db, workspace_id: string, id: string, node_id: string) =>
      db.row<Row>(sql`
        update ${table} set status = 'running', node_id = ${node_id}, leased_until = ${lease}
        where workspace_id = ${workspace_id} and id = ${id} and status = 'awaiting_human_feedback'
        returning ${columns}`),

    someWait: async (db: Db) =>
      (await db.row(sql`select 1 from ${table} where status = 'queued' limit 1`)) !== undefined,

    /** Ends the leases of all runs; for a node that is alone on its database. */
    lapseAll: (db: Db) =>
      db.run(sql`update ${table} set leased_until = now() where status = 'running' and node_id is not null`),

    /** Releases the runs of a node that shuts down: the next node that looks takes them over. */
    releaseRuns: (db: Db, node_id: string) =>
      db.run(sql`
        update ${table} set node_id = null, leased_until = now() where node_id = ${node_id} and status = 'running'`),

    /**
     * Renews the leases of these runs, and answers the runs that still belong to the node. A locked row is left for the
     * next time: waiting for it would delay all others.
     */
    renewLeases: (db: Db, node_id: string, ids: readonly string[]) =>
      db.rows<{ id: string; stop_requested: boolean }>(sql`
        update ${table} set leased_until = ${lease}
        where (workspace_id, id) in (
          select workspace_id, id from ${table}
          where id = any(${ids}::uuid[]) and node_id = ${node_id} and status = 'running' for update skip locked)
        returning id, stop_requested`),

    /** Of these runs, those that do not belong to the node: another node has them, or they are over or deleted. */
    lostRuns: async (db: Db, node_id: string, runs: readonly { group_id: string; id: string }[]) => {
      const rows = await db.rows<{ id: string }>(sql`
        select id from unnest(${runs.map(({ group_id }) => group_id)}::uuid[], ${runs.map(({ id }) => id)}::uuid[])
          as carried (group_id, id)
        where not exists (
          select 1 from ${table} as kept
          where kept.workspace_id = carried.group_id and kept.id = carried.id and kept.node_id = ${node_id})`);
      return rows.map(({ id }) => id);
    },

    /** Ends the lease of a run that this node could not go on with, so that any node takes it over at once. */
    releaseRun: (db: Db, node_id: string, run: { group_id: string; id: string }) =>
      db.run(sql`
        update ${table} set leased_until = now()
        where workspace_id = ${run.group_id} and id = ${run.id} and node_id = ${node_id} and status = 'running'`),
  };
}
