import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** The next workspace that has logs. */
export const workspaceAfter = async (db: Db, after: string): Promise<string | undefined> =>
  (
    await db.row<{ workspace_id: string }>(sql`
      select workspace_id from run_events where workspace_id > ${after} order by workspace_id limit 1`)
  )?.workspace_id;

export interface OldLogs {
  workspace_id: string;
  /** Runs with ids after this one. */
  after: string;
  /** Runs with ids before this one. */
  before: string;
  days: number;
  /** How many events are looked at. */
  limit: number;
}

/**
 * Deletes logs of runs that ended this many days ago. Answers the last run that was looked at; undefined when there was
 * none. Only runs that still have a log are looked at, so that what was deleted before costs nothing.
 */
export const deleteOldLogs = async (db: Db, { workspace_id, after, before, days, limit }: OldLogs) =>
  (
    await db.row<{ run_id: string }>(sql`
      with old as (
        select run_id from run_events
        where workspace_id = ${workspace_id} and run_id > ${after} and run_id < ${before} order by run_id limit ${limit}),
      ended as (
        select id from runs where workspace_id = ${workspace_id} and id in (select run_id from old)
          and finished_at < now() - make_interval(days => ${days}::int)),
      gone as (
        delete from run_events where workspace_id = ${workspace_id} and run_id in (select id from ended))
      select run_id from old order by run_id desc limit 1`)
  )?.run_id;
