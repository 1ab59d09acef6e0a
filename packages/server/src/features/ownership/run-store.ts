import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableConversations } from './store.ts';

/** Whose workflow runs a caller reads. */
export interface RunReach {
  /** Its own. */
  owner_id: string;
  /** Those of every conversation, by conversations_read; else of the conversations that it reads. */
  all_conversations: boolean;
  /** Those of triggers, and of failed runs that they failed, where and why. */
  edits_workflows: boolean;
}

/** The condition that the caller reads a run with its inputs and outputs; the columns are those of `owned_runs`. */
export function isReadableRun(workspace_id: string, reach: RunReach): Sql {
  const { owner_id, all_conversations, edits_workflows } = reach;
  const ofTrigger = edits_workflows ? sql`or trigger_id is not null` : sql``;
  const inConversation = all_conversations
    ? sql`conversation_id is not null`
    : sql`conversation_id in (${readableConversations(workspace_id, owner_id)})`;
  return sql`(conversation_id is null and (owner_id = ${owner_id} ${ofTrigger}) or ${inConversation})`;
}

/** The condition that the caller sees that there is a run: it reads the run, or the run failed and the caller may mend it. */
export const isListedRun = (workspace_id: string, reach: RunReach): Sql =>
  reach.edits_workflows
    ? sql`(${isReadableRun(workspace_id, reach)} or status = 'failed')`
    : isReadableRun(workspace_id, reach);

export const findRunAccess = (db: Db, workspace_id: string, run_id: string, reach: RunReach) =>
  db.row<{ readable: boolean; listed: boolean }>(sql`
    select coalesce(${isReadableRun(workspace_id, reach)}, false) as readable,
      coalesce(${isListedRun(workspace_id, reach)}, false) as listed
    from owned_runs where workspace_id = ${workspace_id} and run_id = ${run_id}`);
