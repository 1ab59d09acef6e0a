import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const composeTextNodeType = nodeType({
  type: 'ComposeTextNode',
  title: 'Compose text',
  description: 'Puts values together to one text.',
  category: 'data',
  inputs: [keyed('variables', { optional: true })],
  outputs: [plain('output')],
  config: { template: c.template({ description: 'The text, with ((Key)) where a value belongs' }) },
  example: { template: 'Dear ((Name)), your order ((Order)) is on its way.' },
});
