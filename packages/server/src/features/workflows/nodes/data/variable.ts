import { c } from '../../node-types/config-fields.ts';
import { plain } from '../../node-types/connectors.ts';
import { defineNode, NodeFailure } from '../../node-types/define-node.ts';

/** Secrets do not flow through workflows: a step that sends one out names it itself, as {{secret.NAME}}. */
export const variableNode = defineNode({
  type: 'VariableNode',
  title: 'Variable',
  description: 'The value of a variable of the workspace.',
  category: 'sources',
  inputs: [],
  outputs: [plain('output')],
  config: { name: c.variable({ description: 'What the variable is called' }) },
  async run(context, _, { name }) {
    const hole = `{{${name}}}`;
    const value = await context.render(hole, {});
    if (value === hole)
      throw new NodeFailure('variable_missing', `There is no variable ${name} that may be shown here`, {
        passing: false,
      });
    return { output: value };
  },
});
