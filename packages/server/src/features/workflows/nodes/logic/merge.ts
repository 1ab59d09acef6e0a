import { c } from '../../node-types/config-fields.ts';
import { keyed, plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

/** Brings ways together again. It waits for all of them; those that were not taken give nothing. */
export const mergeNode = defineNode({
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
  async run(_, inputs, { mode, separator }) {
    const values = inputs['values'] as Record<string, unknown>;
    const list = Object.values(values);
    if (mode === 'dict') return { output: values };
    if (mode === 'list') return { output: list };
    if (mode === 'first') return { output: list[0] ?? null };
    return { output: list.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(separator) };
  },
});
