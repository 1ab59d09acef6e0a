import { conversationParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { runsRoutes } from '../runs/routes.ts';
import { approval, approvalDecision, approvalPage, approvalParams, approvalQuery } from './approval-schema.ts';

const tag = 'Approvals';

const permission = 'agents_run';

export const listConversationApprovals = operation({
  id: 'approvals.listOfConversation',
  route: runsRoutes['approvals.listOfConversation'],
  summary: 'List the tool call approvals of a conversation, latest first',
  description:
    'Returns the tool calls of a conversation that wait for a decision, and those that waited before. Use it to show what an agent is about to do; `GET /v1/approvals` lists the approvals of the whole workspace.',
  tag,
  permission,
  params: conversationParams,
  query: approvalQuery,
  answer: approvalPage,
});

export const decideApproval = operation({
  id: 'approvals.decide',
  route: runsRoutes['approvals.decide'],
  summary: 'Approve or reject a tool call',
  description:
    'Decides about a tool call that waits; the run resumes when all calls of its step are decided. A second decision, or one after `expires_at`, fails with 409. With `four_eyes` a key that took part in the conversation gets 403.',
  tag,
  permission,
  params: approvalParams,
  body: approvalDecision,
  example: { decision: 'approve', note: 'Fine with me' },
  answer: approval,
});

export const conversationApprovalOperations = [listConversationApprovals, decideApproval];
