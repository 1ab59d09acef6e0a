import { dateNodeType } from './data/date.ts';
import { fileInputNodeType, imageInputNodeType } from './data/file-input.ts';
import { fileTextNodeType } from './data/file-text.ts';
import { inputNodeType } from './data/input.ts';
import { filterNodeType, jsonTransformNodeType } from './data/json-transform.ts';
import { knowledgeSearchNodeType } from './data/knowledge-search.ts';
import { outputNodeType } from './data/output.ts';
import { tableReadNodeType, tableWriteNodeType } from './data/tables.ts';
import { variableNodeType } from './data/variable.ts';
import { agentCallNodeType } from './integrations/agent-call.ts';
import {
  agentEndNodeType,
  agentMessageSendNodeType,
  agentStartNodeType,
  basicAgentNodeType,
  chatAgentNodeType,
  choiceAgentNodeType,
  formExtractionAgentNodeType,
} from './integrations/agent-flow.ts';
import { codeExecutionNodeType } from './integrations/code.ts';
import { httpRequestNodeType, sendWebhookNodeType } from './integrations/http-request.ts';
import { toolCallNodeType } from './integrations/tool-call.ts';
import { approvalNodeType } from './logic/approval.ts';
import { conditionNodeType } from './logic/condition.ts';
import { delayNodeType } from './logic/delay.ts';
import { errorHandlerNodeType } from './logic/error-handler.ts';
import { loopNodeType } from './logic/loop.ts';
import { mergeNodeType } from './logic/merge.ts';
import { subWorkflowNodeType } from './logic/sub-workflow.ts';
import { switchNodeType } from './logic/switch.ts';
import type { NodeType } from './node-type.ts';
import { classifyNodeType, sentimentAnalysisNodeType } from './text/classify.ts';
import { composeTextNodeType } from './text/compose-text.ts';
import { extractDataNodeType } from './text/extract-data.ts';
import { summaryNodeType, textSummarizationNodeType } from './text/summary.ts';
import { textGenerationNodeType } from './text/text-generation.ts';
import { textSplitterNodeType } from './text/text-splitter.ts';
import { translateNodeType } from './text/translate.ts';

/** Every node type, in the order in which the catalogue shows them. */
export const allNodeTypes: readonly NodeType[] = [
  inputNodeType,
  fileInputNodeType,
  imageInputNodeType,
  outputNodeType,
  composeTextNodeType,
  textGenerationNodeType,
  summaryNodeType,
  textSummarizationNodeType,
  extractDataNodeType,
  classifyNodeType,
  sentimentAnalysisNodeType,
  translateNodeType,
  textSplitterNodeType,
  jsonTransformNodeType,
  dateNodeType,
  fileTextNodeType,
  variableNodeType,
  knowledgeSearchNodeType,
  tableReadNodeType,
  tableWriteNodeType,
  conditionNodeType,
  switchNodeType,
  loopNodeType,
  mergeNodeType,
  approvalNodeType,
  delayNodeType,
  subWorkflowNodeType,
  errorHandlerNodeType,
  filterNodeType,
  codeExecutionNodeType,
  agentCallNodeType,
  toolCallNodeType,
  httpRequestNodeType,
  sendWebhookNodeType,
  agentStartNodeType,
  agentMessageSendNodeType,
  agentEndNodeType,
  choiceAgentNodeType,
  formExtractionAgentNodeType,
  basicAgentNodeType,
  chatAgentNodeType,
];
