import { c } from '../../node-types/config-fields.ts';
import { keyed, plain } from '../../node-types/connectors.ts';
import { callWorkflow, defineNode } from '../../node-types/define-node.ts';

/** Runs another workflow inside of the run. Its inputs are named by their labels, and so are its outputs. */
export const subWorkflowNode = defineNode({
  type: 'SubWorkflowNode',
  title: 'Run a workflow',
  description: 'Runs another workflow of the workspace and gives its outputs.',
  category: 'logic',
  inputs: [keyed('inputs', { optional: true, data_type: 'Custom' })],
  outputs: [plain('output', { data_type: 'dict' })],
  config: {
    workflow_id: c.reference('workflow', { description: 'Which workflow' }),
    version_id: c.version('workflow_id', { optional: true, description: 'One of its versions; without, as it is now' }),
  },
  async run({ resumed }, { inputs }, { workflow_id, version_id }) {
    if (resumed?.for === 'workflow') return { output: resumed.output };
    return callWorkflow({ workflow_id, version_id: version_id ?? null, input: inputs as Record<string, unknown> });
  },
});
