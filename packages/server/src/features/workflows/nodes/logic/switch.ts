import { isTrue } from '@atrium/contract/expressions/evaluate.ts';
import { caseOutputs, switchNodeType } from '@atrium/contract/workflows/node-types/logic/switch.ts';
import { fieldsOf } from '../../../../lib/json/fields-of.ts';
import { defineNode } from '../define-node.ts';

/** Returns its value at the output of the first expression that holds, or at `otherwise`. */
export const switchNode = defineNode(switchNodeType, async (context, { value = null, variables }, config) => {
  const names = { ...fieldsOf(variables), value };
  const place = config.cases.findIndex((expression) => isTrue(context.evaluate(expression, names)));
  const way = caseOutputs[place] ?? 'otherwise';
  context.log(`The way ${way} is taken`);
  return { [way]: value };
});
