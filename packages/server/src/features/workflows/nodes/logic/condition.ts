import { isTrue } from '@atrium/contract/expressions/evaluate.ts';
import { conditionNodeType } from '@atrium/contract/workflows/node-types/logic/condition.ts';
import { fieldsOf } from '../../../../lib/json/fields-of.ts';
import { defineNode } from '../define-node.ts';

/** Returns its value at one of two outputs; nodes behind the unused output are skipped. */
export const conditionNode = defineNode(
  conditionNodeType,
  async (context, { value = null, variables }, { expression }) => {
    const names = { ...fieldsOf(variables), value };
    const holds = isTrue(context.evaluate(expression, names));
    context.log(`The expression ${holds ? 'holds' : 'does not hold'}`);
    return { [holds ? 'true' : 'false']: value };
  },
);
