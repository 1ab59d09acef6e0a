import { c } from '../config-fields.ts';
import { dataTypes, flowInput, plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const inputNodeType = nodeType({
  type: 'InputNode',
  title: 'Input',
  description: 'A value that the workflow is started with.',
  category: 'io',
  inputs: [flowInput('input', 'Custom', 'type')],
  outputs: [plain('output', { data_type: 'Custom' })],
  config: {
    label: c.text({ default: '', description: 'What the value is called when a run is started' }),
    fixed_value: c.bool({ default: false, description: 'Whether `value` is used when a run brings none' }),
    value: c.any({ optional: true, description: 'The value to use then' }),
    type: c.choice([...dataTypes, 'int', 'float', 'bool'], { default: 'str', description: 'What kind of value it is' }),
  },
  example: { label: 'Author', type: 'str' },
});
