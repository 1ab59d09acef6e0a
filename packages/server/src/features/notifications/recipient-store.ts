import type { WorkspacePermission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

// Whom records belong to. The functions are those of the database, so that this feature reads no table of another.

const personBy = async (tx: Db, find: Sql) => (await tx.one<{ person_id: string | null }>(find)).person_id;

export const personOfConversation = (tx: Db, workspace_id: string, id: string) =>
  personBy(tx, sql`select person_of_conversation(${workspace_id}, ${id}) as person_id`);

export const personOfWorkflowRun = (tx: Db, workspace_id: string, id: string) =>
  personBy(tx, sql`select person_of_workflow_run(${workspace_id}, ${id}) as person_id`);

export const ownerOfTrigger = (tx: Db, workspace_id: string, id: string) =>
  personBy(tx, sql`select owner_of_trigger(${workspace_id}, ${id}) as person_id`);

export const ownerOfDeployment = (tx: Db, workspace_id: string, id: string) =>
  personBy(tx, sql`select owner_of_deployment(${workspace_id}, ${id}) as person_id`);

/** What the step of a workflow asks of who answers, and who started its run. */
export const approvalOfWorkflow = (tx: Db, workspace_id: string, id: string) =>
  tx.row<{ needs: WorkspacePermission; four_eyes: boolean; started_by: string | null }>(sql`
    select needs, four_eyes, started_by from approval_of_workflow(${workspace_id}, ${id})`);

export const requestOfConversation = (tx: Db, workspace_id: string, id: string) =>
  tx.row<{ four_eyes: boolean; person_id: string | null }>(sql`
    select four_eyes, person_id from request_of_conversation(${workspace_id}, ${id})`);
