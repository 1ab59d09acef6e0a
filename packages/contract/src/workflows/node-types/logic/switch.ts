import { c, expressionText } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const caseOutputs = ['case_1', 'case_2', 'case_3', 'case_4', 'case_5', 'case_6', 'case_7', 'case_8'] as const;

export const switchNodeType = nodeType({
  type: 'SwitchNode',
  title: 'Switch',
  description: 'Goes one of several ways, by the first expression that holds.',
  category: 'logic',
  inputs: [plain('value', { data_type: 'Custom', optional: true }), keyed('variables', { optional: true })],
  outputs: [
    ...caseOutputs.map((name, index) => plain(name, { data_type: 'Custom', label: `Case ${index + 1}` })),
    plain('otherwise', { data_type: 'Custom' }),
  ],
  config: {
    cases: c.list(expressionText, {
      max: caseOutputs.length,
      description: 'Expressions in their order; the first that holds says which way is taken',
    }),
  },
  example: { cases: ['value == "Billing"', 'value == "Delivery"'] },
});
