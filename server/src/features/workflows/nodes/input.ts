import { c } from '../config-fields.ts';
import { dataTypes, flowInput, plain } from '../connectors.ts';
import { defineNode, NodeFailure } from '../node.ts';

const nothing = (value: unknown) => value === undefined || value === null;

/** Where text, or a value of any kind, comes into a workflow. What a run is started with goes before the fixed value. */
export const inputNode = defineNode({
  type: 'InputNode',
  title: 'Input',
  description: 'A value that the workflow is started with.',
  category: 'io',
  inputs: [flowInput('input', 'str', 'type')],
  outputs: [plain('output', { data_type: 'Custom' })],
  config: {
    label: c.text({ default: '', description: 'What the value is called when a run is started' }),
    fixed_value: c.bool({ default: false, description: 'Whether `value` is used when a run brings none' }),
    value: c.any({ optional: true, description: 'The value to use then' }),
    type: c.choice([...dataTypes, 'int', 'float', 'bool'], { default: 'str', description: 'What kind of value it is' }),
  },
  async run(_, { input }, { label, fixed_value, value }) {
    if (!nothing(input)) return { output: input };
    if (fixed_value || !nothing(value)) return { output: value ?? '' };
    throw new NodeFailure('missing_input', `The run was started without a value for ${label || 'an input'}`, {
      passing: false,
    });
  },
});
