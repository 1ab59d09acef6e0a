import { c } from '../../node-types/config-fields.ts';
import { keyed, plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

export const jsonTransformNode = defineNode({
  type: 'JsonTransformNode',
  title: 'Transform data',
  description: 'Makes a new value out of others by an expression.',
  category: 'data',
  inputs: [plain('value', { data_type: 'Custom', optional: true }), keyed('variables', { optional: true })],
  outputs: [plain('output', { data_type: 'Custom' })],
  config: {
    expression: c.expression({
      description: 'What to make, as `map(value.orders, item.total)` or `parse(value).name`',
    }),
  },
  run: async (context, { value = null, variables }, { expression }) => ({
    output: context.evaluate(expression, { ...(variables as object), value }),
  }),
});

/** Splits a list in two: what an expression holds for, and the rest. */
export const filterNode = defineNode({
  type: 'FilterNode',
  title: 'Filter list',
  description: 'Keeps the items of a list for which an expression holds.',
  category: 'logic',
  inputs: [plain('list', { data_type: 'list' }), keyed('variables', { optional: true })],
  outputs: [plain('kept', { data_type: 'list' }), plain('dropped', { data_type: 'list' })],
  config: {
    expression: c.expression({ description: 'What has to hold, as `item.total > 100` or `index < 10`' }),
  },
  async run(context, { list, variables }, { expression }) {
    const names = { ...(variables as object), list };
    // One expression over the whole list: its bounds hold for all items together.
    const kept = context.evaluate(`filter(list, (${expression}))`, names) as unknown[];
    const dropped = context.evaluate(`filter(list, not (${expression}))`, names) as unknown[];
    return { kept, dropped };
  },
});
