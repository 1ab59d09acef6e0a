import type { RunStatus } from '@atrium/contract/workflows/schema.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { RunError } from './journal-events.ts';

/** The columns that `publishWorkflowRunEnd` reads; the statement must have them in a CTE named `held`. */
export const endedRunColumns = sql`id, workspace_id, workflow_id, principal`;

/** The part of a statement that publishes the end of a run to the outbox. */
export const publishWorkflowRunEnd = ({ status, error }: { status: RunStatus; error: RunError | null }): Sql => sql`
  told as (
    insert into outbox (workspace_id, event, subject_id, cause, data)
    select workspace_id, ${`run.${status}`}, workflow_id, principal -> 'actor' ->> 'delivery_id',
      json_build_object('run_id', id, 'workflow_id', workflow_id, 'status', ${status}::text,
        'error', ${error && JSON.stringify(error)}::json)
    from held where someone_listens(workspace_id, ${`run.${status}`}))`;
