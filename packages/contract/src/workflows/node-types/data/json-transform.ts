import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const jsonTransformNodeType = nodeType({
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
  example: { expression: '{"total": sum(map(value.orders, item.total))}' },
});

export const filterNodeType = nodeType({
  type: 'FilterNode',
  title: 'Filter list',
  description: 'Keeps the items of a list for which an expression holds.',
  category: 'logic',
  inputs: [plain('list', { data_type: 'list' }), keyed('variables', { optional: true })],
  outputs: [plain('kept', { data_type: 'list' }), plain('dropped', { data_type: 'list' })],
  config: {
    expression: c.expression({ description: 'What has to hold, as `item.total > 100` or `index < 10`' }),
  },
  example: { expression: 'item.total > 100' },
});
