import { isTrue } from '@atrium/contract/expressions/evaluate.ts';
import { c } from '../../node-types/config-fields.ts';
import { keyed, plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

/** Gives its value on one of two ways; the other way gives nothing, so what hangs on it is skipped. */
export const conditionNode = defineNode({
  type: 'ConditionNode',
  title: 'Condition',
  description: 'Goes one way when an expression holds, and another when it does not.',
  category: 'logic',
  inputs: [plain('value', { data_type: 'Custom', optional: true }), keyed('variables', { optional: true })],
  outputs: [plain('true', { data_type: 'Custom' }), plain('false', { data_type: 'Custom' })],
  config: {
    expression: c.expression({ description: 'What has to hold, as `value == "yes"` or `length(Name) > 3`' }),
  },
  async run(context, { value = null, variables }, { expression }) {
    const names = { ...(variables as Record<string, unknown>), value };
    const holds = isTrue(context.evaluate(expression, names));
    context.log(`The expression ${holds ? 'holds' : 'does not hold'}`);
    return { [holds ? 'true' : 'false']: value };
  },
});
