import type { Scope } from '../../../lib/scope.ts';
import type { RunRow } from '../runs/run-store.ts';
import { type EngineDeps, makeRunExecution, type RunExecution } from './run-execution.ts';

/** What is under way here can be told that somebody has decided. */
export function makeEngine(deps: EngineDeps) {
  const carried = new Map<string, RunExecution>();

  /** Steps of a run whose question was answered go on. */
  async function look(run_id: string): Promise<void> {
    const carrying = carried.get(run_id);
    if (!carrying) return;
    for (const path of carrying.asked.keys()) carrying.waiting.decided(path);
  }

  return {
    look,
    /** Carries a run to its end; one that was put away and may go on already is taken up again at once. */
    async execute(scope: Scope, row: RunRow, signal: AbortSignal): Promise<void> {
      for (let run: RunRow | undefined = row; run; ) {
        const { id, group_id, graph_id, last_seq } = run;
        const batches = last_seq > 0 ? await deps.journal.all(group_id, id) : [];
        const graph = await deps.graph(group_id, graph_id);
        const carrying = makeRunExecution(deps, scope, run, signal, graph, batches);
        carried.set(id, carrying);
        run = await carrying.carry().finally(() => carried.delete(id));
      }
    },
  };
}
