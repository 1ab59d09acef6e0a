import { within } from '../../../execution/effective-permissions.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Graph } from '../definition/graph.ts';
import type { RunRow } from '../runs/run-store.ts';
import { type Frame, labelsOf } from './frame.ts';
import { isolateStep } from './isolate-step.ts';
import type { RunSecrets, RunVariables } from './run-variables.ts';

export interface FrameDeps {
  scope: Scope;
  run: RunRow;
  /** Loads a compiled graph; graphs never change. */
  graph(workspace_id: string, graph_id: string): Promise<Graph>;
  variables: RunVariables;
  /** The secrets that the run has revealed; every frame scrubs them. */
  secrets: RunSecrets;
  /** Whether steps of the run were done before, on any node. */
  resumed: boolean;
}

/**
 * Makes the frames of one run, each with its permissions and variables. A nested workflow has no more permissions
 * than the one around it.
 */
export function makeFrames({ scope, run, graph, variables, secrets, resumed }: FrameDeps) {
  async function frameOf(outer: Scope, graph_id: string, of: Pick<Frame, 'workflow_id' | 'input' | 'only' | 'depth'>) {
    const found = await graph(run.group_id, graph_id);
    const own = within(outer, found.rights);
    const named = variables(own, found, secrets);
    // A secret that was revealed before a restart may still come back after it.
    if (resumed) await named.remember();
    return { ...of, graph: found, labels: labelsOf(found, of.input), scope: own, variables: named } satisfies Frame;
  }

  return {
    async top(): Promise<Frame> {
      const { workflow_id, input, single_node_id } = run;
      const pinned = new Set(Object.keys(run.pinned_outputs ?? {}));
      const chosen = single_node_id ? [single_node_id] : run.node_ids;
      const only = chosen ? new Set([...chosen, ...pinned]) : undefined;
      const frame = await frameOf(scope, run.graph_id, { workflow_id, input, only, depth: 0 });
      const { nodes, top } = frame.graph;
      const isInLoop = single_node_id && nodes.get(single_node_id)?.region !== top;
      return isInLoop ? { ...frame, graph: isolateStep(frame.graph, single_node_id, pinned) } : frame;
    },
    inside: (outer: Frame, graph_id: string, workflow_id: string, input: Record<string, unknown>) =>
      frameOf(outer.scope, graph_id, { workflow_id, input, only: undefined, depth: outer.depth + 1 }),
  };
}
