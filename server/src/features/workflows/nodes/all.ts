import type { Extract } from '../../../drivers/extractors/driver.ts';
import type { Web } from '../../../drivers/web/driver.ts';
import type { Files } from '../../files/service.ts';
import type { Rows } from '../../tables/row-service.ts';
import type { AskModel } from '../ask-model.ts';
import type { Once } from '../effects.ts';
import type { NodeType } from '../node.ts';
import { type AgentCallNeeds, makeAgentCallNode } from './agent-call.ts';
import { agentFlowNodes } from './agent-flow.ts';
import { approvalNode } from './approval.ts';
import { makeClassifyNode, makeSentimentNode } from './classify.ts';
import { type CodeNeeds, makeCodeNode } from './code.ts';
import { composeTextNode } from './compose-text.ts';
import { conditionNode } from './condition.ts';
import { dateNode } from './date.ts';
import { delayNode } from './delay.ts';
import { errorHandlerNode } from './error-handler.ts';
import { makeExtractDataNode } from './extract-data.ts';
import { makeFileInputNodes } from './file-input.ts';
import { makeFileTextNode } from './file-text.ts';
import { makeHttpRequestNode, makeSendWebhookNode } from './http-request.ts';
import { inputNode } from './input.ts';
import { filterNode, jsonTransformNode } from './json-transform.ts';
import { makeKnowledgeSearchNode, type SearchBase } from './knowledge-search.ts';
import { loopNode } from './loop.ts';
import { mergeNode } from './merge.ts';
import { outputNode } from './output.ts';
import { subWorkflowNode } from './sub-workflow.ts';
import { makeSummaryNodes } from './summary.ts';
import { switchNode } from './switch.ts';
import { makeTableReadNode, makeTableWriteNode } from './tables.ts';
import { makeTextGenerationNode } from './text-generation.ts';
import { textSplitterNode } from './text-splitter.ts';
import { makeToolCallNode, type ToolCallNeeds } from './tool-call.ts';
import { makeTranslateNode } from './translate.ts';
import { variableNode } from './variable.ts';

/** What nodes need of the rest of the platform. Each takes only what it uses. */
export interface NodeDeps {
  ask: AskModel;
  search: SearchBase;
  rows: Rows;
  files: Files;
  extract: Extract;
  web: Web;
  code: CodeNeeds;
  agents: AgentCallNeeds;
  toolCalls: ToolCallNeeds;
  once: Once;
}

/** Every node there is, in the order in which the catalogue shows them. */
export const allNodes = (deps: NodeDeps): NodeType[] => [
  inputNode,
  ...makeFileInputNodes(deps.files),
  outputNode,
  composeTextNode,
  makeTextGenerationNode(deps.ask),
  ...makeSummaryNodes(deps.ask),
  makeExtractDataNode(deps.ask),
  makeClassifyNode(deps.ask),
  makeSentimentNode(deps.ask),
  makeTranslateNode(deps.ask),
  textSplitterNode,
  jsonTransformNode,
  dateNode,
  makeFileTextNode(deps),
  variableNode,
  makeKnowledgeSearchNode(deps.search),
  makeTableReadNode(deps.rows),
  makeTableWriteNode(deps),
  conditionNode,
  switchNode,
  loopNode,
  mergeNode,
  approvalNode,
  delayNode,
  subWorkflowNode,
  errorHandlerNode,
  filterNode,
  makeCodeNode(deps.code),
  makeAgentCallNode(deps.agents),
  makeToolCallNode(deps.toolCalls),
  makeHttpRequestNode(deps.web),
  makeSendWebhookNode(deps.web),
  ...agentFlowNodes(deps.ask),
];
