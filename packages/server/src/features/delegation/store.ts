import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface Delegation {
  parent_conversation_id: string;
  agent_ids: string[];
}

export const findDelegation = (db: Db, workspace_id: string, conversation_id: string) =>
  db.row<Delegation>(sql`
    select parent_conversation_id, agent_ids from delegations
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id}`);

export const insertDelegation = (db: Db, workspace_id: string, conversation_id: string, given: Delegation) =>
  db.run(sql`
    insert into delegations (workspace_id, conversation_id, parent_conversation_id, agent_ids)
    values (${workspace_id}, ${conversation_id}, ${given.parent_conversation_id}, ${given.agent_ids}::uuid[])`);

export const insertDelegatedRun = (
  db: Db,
  workspace_id: string,
  row: { run_id: string; parent_run_id: string; question_hash: string },
) =>
  db.run(sql`
    insert into delegated_runs (workspace_id, run_id, parent_run_id, question_hash)
    values (${workspace_id}, ${row.run_id}, ${row.parent_run_id}, ${row.question_hash})`);

/** A run whose result was not returned to its parent run yet. */
export const findUnreportedRun = (db: Db, workspace_id: string, parent_run_id: string, question_hash: string) =>
  db.row<{ run_id: string }>(sql`
    select run_id from delegated_runs where workspace_id = ${workspace_id} and parent_run_id = ${parent_run_id}
      and question_hash = ${question_hash} and not told limit 1`);

export const markReported = (db: Db, workspace_id: string, run_id: string) =>
  db.run(sql`update delegated_runs set told = true where workspace_id = ${workspace_id} and run_id = ${run_id}`);
