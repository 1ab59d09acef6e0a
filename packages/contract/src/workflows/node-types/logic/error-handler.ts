import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const errorHandlerNodeType = nodeType({
  type: 'ErrorHandlerNode',
  title: 'On failure',
  description: 'Where the workflow goes on when a node has failed.',
  category: 'logic',
  inputs: [],
  outputs: [plain('error', { data_type: 'dict' })],
  config: {
    outcome: c.choice(['completed', 'failed'], {
      default: 'completed',
      description: 'What the run counts as once the failure was dealt with',
    }),
  },
  handles_errors: true,
  fails: false,
  example: { outcome: 'completed' },
});
