import type { Scope } from '../../../lib/scope.ts';
import type { RunRow } from '../runs/run-store.ts';
import { type EngineDeps, makeWorkflowRunExecution, type RunExecution } from './run-execution.ts';

/** The runs of this node, so that a decision can wake their steps. */
export function makeEngine(deps: EngineDeps) {
  const executions = new Map<string, RunExecution>();

  /** Wakes the steps of a run that wait for an approval; each of them reads the decision. */
  async function wakeWaitingSteps(run_id: string): Promise<void> {
    const execution = executions.get(run_id);
    if (!execution) return;
    for (const path of execution.asked.keys()) execution.waiting.decided(path);
  }

  return {
    wakeWaitingSteps,
    /** Runs until the run ends or is suspended; one that was decided while it was suspended continues at once. */
    async execute(scope: Scope, row: RunRow, signal: AbortSignal): Promise<void> {
      for (let run: RunRow | undefined = row; run; ) {
        const { id, group_id, graph_id, last_seq } = run;
        const batches = last_seq > 0 ? await deps.journal.all(group_id, id) : [];
        const graph = await deps.graph(group_id, graph_id);
        const execution = makeWorkflowRunExecution(deps, scope, run, signal, graph, batches);
        executions.set(id, execution);
        run = await execution.runToEnd().finally(() => executions.delete(id));
      }
    },
  };
}
