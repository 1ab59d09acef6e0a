import { c } from '../../node-types/config-fields.ts';
import { flowOutput, plain } from '../../node-types/connectors.ts';
import { defineNode } from '../../node-types/define-node.ts';

/** Where a value leaves a workflow. */
export const outputNode = defineNode({
  type: 'OutputNode',
  title: 'Output',
  description: 'A value that the run gives as its output.',
  category: 'io',
  inputs: [plain('input', { data_type: 'Custom' })],
  outputs: [flowOutput('output', 'Custom')],
  config: { label: c.text({ default: '', description: 'What the value is called in the output' }) },
  gives: true,
  fails: false,
  run: async (_, { input }) => ({ output: input ?? null }),
});
