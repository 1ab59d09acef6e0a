import { variableNodeType } from '@atrium/contract/workflows/node-types/data/variable.ts';
import { defineNode } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';

/** Returns no secrets: a node that sends a secret out names it itself, as {{secret.NAME}}. */
export const variableNode = defineNode(variableNodeType, async (context, _, { name }) => {
  const hole = `{{${name}}}`;
  const value = await context.render(hole, {});
  if (value === hole)
    throw new NodeFailure('variable_missing', `There is no variable ${name} that may be shown here`, {
      passing: false,
    });
  return { output: value };
});
