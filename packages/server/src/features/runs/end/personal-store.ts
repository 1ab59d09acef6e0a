import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** Runs that have ended and were asked for by one of these actors. */
export const listRunsOf = (db: Db, workspace_id: string, actor_ids: readonly string[], after: string, limit: number) =>
  db.rows<{ id: string; conversation_id: string; message_id: string }>(sql`
    select id, conversation_id, message_id from runs
    where workspace_id = ${workspace_id} and actor_id = any(${[...actor_ids]}::uuid[]) and finished_at is not null and id > ${after}
    order by id limit ${limit}`);

/** Deletes the words that runs were asked with, and their streams. */
export const forgetWords = (db: Db, workspace_id: string, ids: readonly string[], input: string) =>
  db.run(sql`
    with dropped as (
      delete from run_events where workspace_id = ${workspace_id} and run_id = any(${[...ids]}::uuid[]))
    update runs set input = ${input}::json, output = null,
      principal = jsonb_set(principal::jsonb, '{actor,name}', '""')::json
    where workspace_id = ${workspace_id} and id = any(${[...ids]}::uuid[])`);
