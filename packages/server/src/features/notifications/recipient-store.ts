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

/** Who is told that an approval waits: a tool call or the step of a workflow. */
export const toldOfApproval = async (tx: Db, workspace_id: string, id: string) =>
  (await tx.rows<{ id: string }>(sql`select id from told_of_approval(${workspace_id}, ${id}) as id`)).map(
    ({ id: person_id }) => person_id,
  );
