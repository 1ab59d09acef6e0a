import { c } from '../config-fields.ts';
import { flowOutput, plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const outputNodeType = nodeType({
  type: 'OutputNode',
  title: 'Output',
  description: 'A value that the run gives as its output.',
  category: 'io',
  inputs: [plain('input', { data_type: 'Custom' })],
  outputs: [flowOutput('output', 'Custom')],
  config: { label: c.text({ default: '', description: 'What the value is called in the output' }) },
  gives: true,
  fails: false,
  example: { label: 'Answer' },
});
