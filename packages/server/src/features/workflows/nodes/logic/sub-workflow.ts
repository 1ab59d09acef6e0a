import { subWorkflowNodeType } from '@atrium/contract/workflows/node-types/logic/sub-workflow.ts';
import { defineNode } from '../define-node.ts';
import { callWorkflow } from '../engine-request.ts';

/** Runs another workflow inside of the run. Its inputs and outputs are named by their labels. */
export const subWorkflowNode = defineNode(
  subWorkflowNodeType,
  async ({ resumed }, { inputs }, { workflow_id, version_id }) => {
    if (resumed?.for === 'workflow') return { output: resumed.output };
    return callWorkflow({ workflow_id, version_id: version_id ?? null, input: inputs as Record<string, unknown> });
  },
);
