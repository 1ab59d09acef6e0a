import { within } from '../../../execution/effective-permissions.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Graph } from '../definition/graph.ts';
import type { RunRow } from '../runs/run-store.ts';
import { type Frame, labelsOf } from './frame.ts';
import type { RunSecrets, RunVariables } from './run-variables.ts';

export interface FrameDeps {
  scope: Scope;
  run: RunRow;
  /** A graph by its id; they never change. */
  graph(workspace_id: string, graph_id: string): Promise<Graph>;
  variables: RunVariables;
  /** What has been shown to others in this run: no frame brings it back. */
  secrets: RunSecrets;
  /** Whether steps of the run were done before, here or elsewhere. */
  resumed: boolean;
}

/**
 * The graphs of one run, each with what it may do and the variables that it names. A graph inside of another may do no
 * more than that one.
 */
export function makeFrames({ scope, run, graph, variables, secrets, resumed }: FrameDeps) {
  async function frameOf(outer: Scope, graph_id: string, of: Pick<Frame, 'workflow_id' | 'input' | 'only' | 'depth'>) {
    const found = await graph(run.group_id, graph_id);
    const own = within(outer, found.rights);
    const named = variables(own, found, secrets);
    // What was revealed before a restart may still come back after it.
    if (resumed) await named.remember();
    return { ...of, graph: found, labels: labelsOf(found, of.input), scope: own, variables: named } satisfies Frame;
  }

  return {
    top() {
      const chosen = run.single_node_id ? [run.single_node_id] : run.node_ids;
      const { workflow_id, input } = run;
      return frameOf(scope, run.graph_id, { workflow_id, input, only: chosen ? new Set(chosen) : undefined, depth: 0 });
    },
    inside: (outer: Frame, graph_id: string, workflow_id: string, input: Record<string, unknown>) =>
      frameOf(outer.scope, graph_id, { workflow_id, input, only: undefined, depth: outer.depth + 1 }),
  };
}
