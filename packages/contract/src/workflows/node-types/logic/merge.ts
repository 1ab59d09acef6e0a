import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { nodeType } from '../node-type.ts';

export const mergeNodeType = nodeType({
  type: 'MergeNode',
  title: 'Merge',
  description: 'Brings several ways of a workflow together.',
  category: 'logic',
  inputs: [keyed('values', { data_type: 'Custom' })],
  outputs: [plain('output', { data_type: 'Custom' })],
  config: {
    mode: c.choice(['dict', 'list', 'first', 'text'], {
      default: 'dict',
      description: 'All by their keys, all in a list, the first that came, or all texts one after the other',
    }),
    separator: c.text({ default: '\n', description: 'What stands between texts' }),
  },
  example: { mode: 'list' },
});
