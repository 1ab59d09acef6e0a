import { filterNodeType, jsonTransformNodeType } from '@atrium/contract/workflows/node-types/data/json-transform.ts';
import { fieldsOf } from '../../../../lib/json/fields-of.ts';
import { defineNode } from '../define-node.ts';

export const jsonTransformNode = defineNode(
  jsonTransformNodeType,
  async (context, { value = null, variables }, { expression }) => ({
    output: context.evaluate(expression, { ...fieldsOf(variables), value }),
  }),
);

/** Splits a list in two: the items for which an expression holds, and the rest. */
export const filterNode = defineNode(filterNodeType, async (context, { list, variables }, { expression }) => {
  const names = { ...fieldsOf(variables), list };
  // One evaluation for the whole list, so that the limits of expressions count for all items together.
  const kept = context.evaluate(`filter(list, (${expression}))`, names) as unknown[];
  const dropped = context.evaluate(`filter(list, not (${expression}))`, names) as unknown[];
  return { kept, dropped };
});
