import { AppError } from '@atrium/contract/errors.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import { type Agents, readSettings } from '../../features/agents/service.ts';
import type { FindReach, ReachDeps } from '../../features/reach/ports.ts';
import { makeReach } from '../../features/reach/service.ts';
import type { GraphCache } from '../../features/workflows/definition/graph-cache.ts';
import type { Workflows } from '../../features/workflows/service.ts';

/** Undefined for a record that is gone. */
async function orGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/** Composes the walk over everything that lies beneath a tool. */
export function composeReach(options: {
  agents: Pick<Agents, 'get'>;
  variables: ReachDeps['variables'];
  /** A function, because workflows are composed later: their tools need the walk. */
  workflows(): { workflows: Pick<Workflows, 'find' | 'findVersion'>; graphs: GraphCache };
}): FindReach {
  return makeReach({
    variables: options.variables,
    async workflow(scope, id, version_id) {
      const { workflows } = options.workflows();
      const row = await orGone(workflows.find(scope, id));
      const held = row && version_id ? await orGone(workflows.findVersion(scope, id, version_id)) : row;
      if (!row || !held) return undefined;
      return { name: row.name, graph_id: held.graph_id, is_valid: held.valid, error_handler: row.error_handler };
    },
    async graph({ workspace_id }, graph_id) {
      const { nodes, variables } = await options.workflows().graphs(workspace_id, graph_id);
      return { nodes: [...nodes.values()], variables: [...variables.plain, ...variables.handles] };
    },
    async agent(scope, id) {
      const row = await orGone(options.agents.get(scope, id));
      if (!row) return undefined;
      const settings = effectiveSettings(readSettings(row.definition));
      return { name: row.name, version_id: row.version_id, settings };
    },
  });
}
