import type { Executor } from '../../../execution/executor.ts';
import type { WaitingRuns } from '../../approvals/ports.ts';
import type { LoadedConversation } from '../../conversations/ports.ts';
import { type RunRow, requestStop, resumeRun } from '../store.ts';

/** Resumes runs that waited for people. A resumed run does not wait for a slot: it was already running before. */
export const makeWaitingRuns = (
  executor: Pick<Executor<RunRow, LoadedConversation>, 'node_id' | 'start' | 'takeExtraSlot'>,
): WaitingRuns => ({
  async resume(tx, workspace_id, run_id) {
    const run = await resumeRun(tx, workspace_id, run_id, executor.node_id);
    return run && (() => executor.start(run, executor.takeExtraSlot(run.group_id)));
  },
  requestStop,
});
