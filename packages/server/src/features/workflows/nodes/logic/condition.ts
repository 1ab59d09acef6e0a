import { isTrue } from '@atrium/contract/expressions/evaluate.ts';
import { conditionNodeType } from '@atrium/contract/workflows/node-types/logic/condition.ts';
import { defineNode } from '../define-node.ts';

/** Gives its value on one of two ways; the other way gives nothing, so what hangs on it is skipped. */
export const conditionNode = defineNode(
  conditionNodeType,
  async (context, { value = null, variables }, { expression }) => {
    const names = { ...(variables as Record<string, unknown>), value };
    const holds = isTrue(context.evaluate(expression, names));
    context.log(`The expression ${holds ? 'holds' : 'does not hold'}`);
    return { [holds ? 'true' : 'false']: value };
  },
);
