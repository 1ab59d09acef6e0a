import type { Executor } from '../../../execution/executor.ts';
import type { WaitingWorkflowRuns } from '../../approvals/ports.ts';
import { lockWorkflowRun, type RunRow, wakeRun } from './run-store.ts';
import type { WorkflowRuns } from './workflow-runs.ts';

/** Resumes workflow runs that waited for an approval. A resumed run does not wait for a slot. */
export const makeWaitingWorkflowRuns = (
  runs: Pick<WorkflowRuns, 'find'>,
  executor: Pick<Executor<RunRow, undefined>, 'node_id' | 'start' | 'takeExtraSlot'>,
): WaitingWorkflowRuns => ({
  find: runs.find,
  lock: lockWorkflowRun,
  async wake(tx, workspace_id, run_id) {
    const run = await wakeRun(tx, workspace_id, run_id, executor.node_id);
    return run && (() => executor.start(run, executor.takeExtraSlot(workspace_id)));
  },
});
