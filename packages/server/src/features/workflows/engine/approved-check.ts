import type { Scope } from '../../../lib/scope.ts';
import type { FindReach } from '../../reach/ports.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import type { RunRow } from '../runs/run-store.ts';

/**
 * Checks before each effect of a run that a person has approved that everything beneath it is as it was approved. Nested
 * workflows, agents and variables are read when their step begins, which may be long after the approval.
 */
export function makeApprovedCheck(findReach: FindReach, scope: Scope, run: RunRow) {
  const { workflow_id, workflow_version_id: version_id, graph_id, principal } = run;
  return async (): Promise<void> => {
    if (principal.approved_reach === undefined) return;
    const root = { kind: 'workflow' as const, id: workflow_id, version_id, graph_id };
    if ((await findReach(scope, [root])).digest === principal.approved_reach) return;
    throw new NodeFailure(
      'changed_after_approval',
      'Something beneath this workflow was changed after a person approved the call, so this step was not begun',
      { passing: false },
    );
  };
}
