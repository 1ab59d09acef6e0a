import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const conditionNodeType = nodeType({
  type: 'ConditionNode',
  title: 'Condition',
  description: 'Goes one way when an expression holds, and another when it does not.',
  category: 'logic',
  inputs: [plain('value', { data_type: 'Custom', optional: true }), keyed('variables', { optional: true })],
  outputs: [plain('true', { data_type: 'Custom' }), plain('false', { data_type: 'Custom' })],
  config: {
    expression: c.expression({ description: 'What has to hold, as `value == "yes"` or `length(Name) > 3`' }),
  },
  example: { expression: 'value.total > 1000' },
});
