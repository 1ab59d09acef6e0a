import { c } from '../../node-types/config-fields.ts';
import { plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

/**
 * Begins what is done when a node fails whose own `on_error` leads nowhere. What was not begun by then is skipped. The
 * engine gives its output; in a run where nothing fails it is skipped with all that follows.
 */
export const errorHandlerNode = defineNode({
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
  run: async () => ({}),
});
