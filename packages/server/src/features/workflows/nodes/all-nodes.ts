import type { Extract } from '../../../drivers/extractors/driver.ts';
import type { Web } from '../../../drivers/web/driver.ts';
import type { Files } from '../../files/service.ts';
import type { Rows } from '../../tables/ports.ts';
import type { AskModel } from '../node-services/ask-model.ts';
import type { RunOnce } from '../node-services/run-once.ts';
import { dateNode } from './data/date.ts';
import { makeFileInputNode, makeImageInputNode } from './data/file-input.ts';
import { makeFileTextNode } from './data/file-text.ts';
import { inputNode } from './data/input.ts';
import { filterNode, jsonTransformNode } from './data/json-transform.ts';
import { makeKnowledgeSearchNode, type SearchBase } from './data/knowledge-search.ts';
import { outputNode } from './data/output.ts';
import { makeTableReadNode, makeTableWriteNode } from './data/tables.ts';
import { variableNode } from './data/variable.ts';
import type { ExecutableNode } from './define-node.ts';
import { type AgentCallNeeds, makeAgentCallNode } from './integrations/agent-call.ts';
import { agentFlowNodes } from './integrations/agent-flow.ts';
import { type CodeNeeds, makeCodeNode } from './integrations/code.ts';
import { makeHttpRequestNode, makeSendWebhookNode } from './integrations/http-request.ts';
import { makeToolCallNode, type ToolCallNeeds } from './integrations/tool-call.ts';
import { approvalNode } from './logic/approval.ts';
import { conditionNode } from './logic/condition.ts';
import { delayNode } from './logic/delay.ts';
import { errorHandlerNode } from './logic/error-handler.ts';
import { loopNode } from './logic/loop.ts';
import { mergeNode } from './logic/merge.ts';
import { subWorkflowNode } from './logic/sub-workflow.ts';
import { switchNode } from './logic/switch.ts';
import { makeClassifyNode, makeSentimentNode } from './text/classify.ts';
import { composeTextNode } from './text/compose-text.ts';
import { makeExtractDataNode } from './text/extract-data.ts';
import { makeSummaryNode, makeTextSummarizationNode } from './text/summary.ts';
import { makeTextGenerationNode } from './text/text-generation.ts';
import { textSplitterNode } from './text/text-splitter.ts';
import { makeTranslateNode } from './text/translate.ts';

/** The services that nodes need; each node takes only those that it uses. */
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
  once: RunOnce;
}

/** Every node, in the order of the catalogue. */
export const allNodes = (deps: NodeDeps): ExecutableNode[] => [
  inputNode,
  makeFileInputNode(deps.files),
  makeImageInputNode(deps.files),
  outputNode,
  composeTextNode,
  makeTextGenerationNode(deps.ask),
  makeSummaryNode(deps.ask),
  makeTextSummarizationNode(deps.ask),
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
