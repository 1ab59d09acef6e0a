import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';

type Expire = (db: Db, days: number, most: number) => Promise<number>;

const longAgo = (days: number): Sql => sql`now() - make_interval(days => ${days}::int)`;

/**
 * Deletes runs that ended this long ago, with their journals, values and approvals. Retries of one run are deleted
 * together: effects are stored under the id of the first, and the last one may still be retried.
 */
export const expireRuns: Expire = (db, days, most) =>
  db.run(sql`
    delete from workflow_runs where (workspace_id, id) in (
      select workspace_id, id from workflow_runs r
      where finished_at < ${longAgo(days)} and not exists (
        select 1 from workflow_runs other
        where other.workspace_id = r.workspace_id
          and (other.id = coalesce(r.retry_of, r.id) or other.retry_of = coalesce(r.retry_of, r.id))
          and (other.finished_at is null or other.finished_at >= ${longAgo(days)}))
      order by finished_at limit ${most} for update skip locked)`);

/** Deletes stored effects whose run is deleted; their keys begin with the id of the run. */
export const expireEffects: Expire = (db, days, most) =>
  db.run(sql`
    delete from workflow_effects where (workspace_id, key) in (
      select workspace_id, key from workflow_effects e
      where created_at < ${longAgo(days)} and not exists (
        select 1 from workflow_runs r
        where r.workspace_id = e.workspace_id and r.id = left(e.key, 36)::uuid)
      order by created_at limit ${most})`);

/**
 * Deletes graphs that were replaced before every remaining run began. No remaining run can use one of them, except
 * for a retry, and that names the graph or is kept together with the first run.
 */
export const expireGraphs: Expire = (db, days, most) =>
  db.run(sql`
    delete from workflow_graphs where (workspace_id, id) in (
      select g.workspace_id, g.id from workflow_graphs g
      left join (select workspace_id, min(created_at) as at from workflow_runs group by workspace_id) as first_left
        on first_left.workspace_id = g.workspace_id
      where replaced_at < ${longAgo(days)} and (first_left.at is null or first_left.at > replaced_at)
        and not exists (select 1 from workflow_runs r where r.workspace_id = g.workspace_id and r.graph_id = g.id)
      limit ${most})`);
