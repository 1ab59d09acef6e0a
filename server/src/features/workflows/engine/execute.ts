import type { Scope } from '../../../lib/scope.ts';
import * as approvals from '../approval-store.ts';
import * as store from '../run-store.ts';
import { type Carrying, type EngineDeps, makeCarrying } from './carrying.ts';

/** What is under way here can be told that somebody has decided. */
export function makeEngine(deps: EngineDeps) {
  const carried = new Map<string, Carrying>();

  /** Steps of a run whose question was answered go on. */
  async function look(run_id: string): Promise<void> {
    const carrying = carried.get(run_id);
    if (!carrying) return;
    for (const path of carrying.asked.keys()) carrying.waiting.decided(path);
  }

  return {
    look,
    /** Carries a run to its end; one that was put away and may go on already is taken up again at once. */
    async execute(scope: Scope, row: store.RunRow, signal: AbortSignal, node_id: string): Promise<void> {
      let run = row;
      for (;;) {
        const batches = run.last_seq > 0 ? await deps.journal.all(run.group_id, run.id) : [];
        const graph = await deps.graph(run.group_id, run.graph_id);
        const carrying = makeCarrying(deps, scope, run, signal, graph, batches);
        carried.set(run.id, carrying);
        const parked = await carrying.carry().finally(() => carried.delete(run.id));
        if (!parked || carrying.asked.size === 0) return;
        // Somebody may have decided while it was being put away.
        const rows = await approvals.listApprovals(deps.db, run.group_id, run.id);
        const answered = new Set(rows.flatMap(({ id, decision }) => (decision ? [id] : [])));
        if (![...carrying.asked.values()].some((id) => answered.has(id))) return;
        const woken = await store.wakeRun(deps.db, run.group_id, run.id, node_id);
        if (!woken) return;
        run = woken;
        deps.journal.open(run.id, run.last_seq);
      }
    },
  };
}
