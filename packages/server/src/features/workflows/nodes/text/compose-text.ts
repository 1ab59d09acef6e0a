import { composeTextNodeType } from '@atrium/contract/workflows/node-types/text/compose-text.ts';
import { defineNode } from '../define-node.ts';

export const composeTextNode = defineNode(
  composeTextNodeType,
  // The engine fills the template before it calls the node.
  async (_, __, { template }) => ({ output: template }),
);
