import { c } from '../../node-types/config-fields.ts';
import { keyed, plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

export const composeTextNode = defineNode({
  type: 'ComposeTextNode',
  title: 'Compose text',
  description: 'Puts values together to one text.',
  category: 'data',
  inputs: [keyed('variables', { optional: true })],
  outputs: [plain('output')],
  config: { template: c.template({ description: 'The text, with ((Key)) where a value belongs' }) },
  // The template comes filled in.
  run: async (_, __, { template }) => ({ output: template }),
});
