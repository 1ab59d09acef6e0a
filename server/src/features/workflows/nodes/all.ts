import type { AskModel } from '../ask-model.ts';
import type { NodeType } from '../node.ts';
import { approvalNode } from './approval.ts';
import { composeTextNode } from './compose-text.ts';
import { conditionNode } from './condition.ts';
import { delayNode } from './delay.ts';
import { errorHandlerNode } from './error-handler.ts';
import { inputNode } from './input.ts';
import { loopNode } from './loop.ts';
import { mergeNode } from './merge.ts';
import { outputNode } from './output.ts';
import { subWorkflowNode } from './sub-workflow.ts';
import { switchNode } from './switch.ts';
import { makeTextGenerationNode } from './text-generation.ts';

/** What nodes need of the rest of the platform. Each takes only what it uses. */
export interface NodeDeps {
  ask: AskModel;
}

/** Every node there is, in the order in which the catalogue shows them. */
export const allNodes = (deps: NodeDeps): NodeType[] => [
  inputNode,
  outputNode,
  composeTextNode,
  makeTextGenerationNode(deps.ask),
  conditionNode,
  switchNode,
  loopNode,
  mergeNode,
  approvalNode,
  delayNode,
  subWorkflowNode,
  errorHandlerNode,
];
