import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { exampleId } from '../example-id.ts';
import { nodeType } from '../node-type.ts';

export const subWorkflowNodeType = nodeType({
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
  example: { workflow_id: exampleId },
});
