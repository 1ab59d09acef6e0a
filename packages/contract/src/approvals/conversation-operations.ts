import { conversationParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { runsRoutes } from '../runs/routes.ts';
import { approval, approvalDecision, approvalPage, approvalParams, approvalQuery } from './approval-schema.ts';

const tag = 'Approvals';

const permission = 'agents_run';

export const listConversationApprovals = operation({
  id: 'approvals.listOfConversation',
  route: runsRoutes['approvals.listOfConversation'],
  summary: 'List the tool calls of a conversation that wait for approval, and those that have, the latest first',
  tag,
  permission,
  params: conversationParams,
  query: approvalQuery,
  answer: approvalPage,
});

export const decideApproval = operation({
  id: 'approvals.decide',
  route: runsRoutes['approvals.decide'],
  summary: 'Approve or reject a tool call; it can be answered once',
  tag,
  permission,
  params: approvalParams,
  body: approvalDecision,
  example: { decision: 'approve', note: 'Fine with me' },
  answer: approval,
});

export const conversationApprovalOperations = [listConversationApprovals, decideApproval];
