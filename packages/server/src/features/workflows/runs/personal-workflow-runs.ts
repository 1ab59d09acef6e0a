import type { Database } from '../../../db/database.ts';
import type { PersonalRecords } from '../../personal-data/ports.ts';
import { forgetNames } from './run-store.ts';

/** Runs of workflows are work of the workspace: they stay, without the name of the person who started them. */
export const makePersonalWorkflowRuns = ({ db }: { db: Database }): PersonalRecords => ({
  kind: 'workflow_runs',
  async *entries() {},
  async erase({ workspace_ids, actor_ids }) {
    let kept_workflow_runs = 0;
    for (const workspace_id of workspace_ids) kept_workflow_runs += await forgetNames(db, workspace_id, actor_ids);
    return { kept_workflow_runs };
  },
});
