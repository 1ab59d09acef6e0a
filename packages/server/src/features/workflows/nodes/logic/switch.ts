import { isTrue } from '@atrium/contract/expressions/evaluate.ts';
import { c, expressionText } from '../../node-types/config-fields.ts';
import { keyed, plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

const cases = ['case_1', 'case_2', 'case_3', 'case_4', 'case_5', 'case_6', 'case_7', 'case_8'] as const;

/** Goes one of up to eight ways, by the first expression that holds, or the last way when none does. */
export const switchNode = defineNode({
  type: 'SwitchNode',
  title: 'Switch',
  description: 'Goes one of several ways, by the first expression that holds.',
  category: 'logic',
  inputs: [plain('value', { data_type: 'Custom', optional: true }), keyed('variables', { optional: true })],
  outputs: [
    ...cases.map((name, index) => plain(name, { data_type: 'Custom', label: `Case ${index + 1}` })),
    plain('otherwise', { data_type: 'Custom' }),
  ],
  config: {
    cases: c.list(expressionText, {
      max: cases.length,
      description: 'Expressions in their order; the first that holds says which way is taken',
    }),
  },
  async run(context, { value = null, variables }, config) {
    const names = { ...(variables as Record<string, unknown>), value };
    const place = config.cases.findIndex((expression) => isTrue(context.evaluate(expression, names)));
    const way = cases[place] ?? 'otherwise';
    context.log(`The way ${way} is taken`);
    return { [way]: value };
  },
});
