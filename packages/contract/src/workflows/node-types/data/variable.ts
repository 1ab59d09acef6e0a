import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const variableNodeType = nodeType({
  type: 'VariableNode',
  title: 'Variable',
  description: 'The value of a variable of the workspace.',
  category: 'sources',
  inputs: [],
  outputs: [plain('output')],
  config: { name: c.variable({ description: 'What the variable is called' }) },
  example: { name: 'company_name' },
});
