import { AppError } from '@atrium/contract/errors.ts';
import { isDuplicate } from '../../../db/database.ts';
import type { TriggerTarget } from '../../triggers/ports.ts';
import type { WorkflowRuns } from '../runs/workflow-runs.ts';
import type { Workflows } from '../service.ts';

/**
 * Starts a workflow for a trigger. The key of the start is the id of the run, so that every attempt starts the same
 * run.
 */
export function makeWorkflowTarget(deps: {
  workflows: Pick<Workflows, 'exists' | 'findVersion'>;
  runs: Pick<WorkflowRuns, 'found' | 'start'>;
}): TriggerTarget {
  const { workflows, runs } = deps;
  return {
    kind: 'workflow',
    exists: async (scope, id) => (await workflows.exists(scope, [id])).has(id),
    hasVersion: (scope, id, version_id) =>
      workflows.findVersion(scope, id, version_id).then(
        () => true,
        (error) => {
          if (error instanceof AppError && error.kind === 'not_found') return false;
          throw error;
        },
      ),

    async start(scope, { target_id, version_id, input, brings, key }) {
      if (await runs.found(scope, key)) return key;
      const body = { input, workflow_version_id: version_id ?? undefined, tracing: false, debugger: false };
      await runs.start({ ...scope, brings }, target_id, body, key).catch((error) => {
        if (!isDuplicate(error)) throw error;
      });
      return key;
    },
  };
}
