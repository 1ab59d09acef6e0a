import { conversationParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { inboxPage, inboxQuery } from './inbox-schema.ts';
import { approvalsRoutes } from './routes.ts';
import { approval, approvalDecision, approvalPage, approvalParams, approvalQuery } from './schema.ts';
import {
  workflowApproval,
  workflowApprovalDecision,
  workflowApprovalParams,
  workflowApprovals,
  workflowApprovalsParams,
} from './workflow-schema.ts';

export const listApprovals = operation({
  id: 'approvals.list',
  route: approvalsRoutes['approvals.list'],
  summary: 'List the approvals and questions of the workspace, latest first',
  description:
    'Returns what agents and workflows ask people, as one inbox: tool calls and workflow steps that wait for approval, and questions of agents, and requests to turn off locks. A key with `agents_run` sees those of conversations, one with `flows_run` those of workflows; a key with neither gets 403. Requests about locks are seen by those who may unlock (`org:admin`), and by the one who asked.',
  tag: 'Approvals',
  permission: 'any',
  query: inboxQuery,
  answer: inboxPage,
});

export const listConversationApprovals = operation({
  id: 'approvals.listOfConversation',
  route: approvalsRoutes['approvals.listOfConversation'],
  summary: 'List the tool call approvals of a conversation, latest first',
  description:
    'Returns the tool calls of a conversation that wait for a decision, and those that waited before. Use it to show what an agent is about to do; `GET /v1/approvals` lists the approvals of the whole workspace.',
  tag: 'Approvals',
  permission: 'agents_run',
  params: conversationParams,
  query: approvalQuery,
  answer: approvalPage,
});

export const decideApproval = operation({
  id: 'approvals.decide',
  route: approvalsRoutes['approvals.decide'],
  summary: 'Approve or reject a tool call',
  description:
    'Decides about a tool call that waits; the run resumes when all calls of its step are decided. A second decision, or one after `expires_at`, fails with 409. With `four_eyes` a key that took part in the conversation gets 403. `withdraw` is for the caller who asked alone: the call is not made, and the model reads that it was withdrawn. With a `scope` an approval of the egress rule covers later calls of the conversation, until it is ended.',
  tag: 'Approvals',
  permission: 'agents_run',
  params: approvalParams,
  body: approvalDecision,
  example: { decision: 'approve', scope: 'once', note: 'Fine with me' },
  answer: approval,
});

export const endApprovalScope = operation({
  id: 'approvals.endScope',
  route: approvalsRoutes['approvals.endScope'],
  summary: 'End what an approval covers',
  description:
    'Ends an approval with a scope other than `once`: later calls wait for a person again. Calls that were made stay as they are. An approval that covers nothing fails with 409.',
  tag: 'Approvals',
  permission: 'agents_run',
  params: approvalParams,
  answer: approval,
});

export const listRunApprovals = operation({
  id: 'approvals.listOfRun',
  route: approvalsRoutes['approvals.listOfRun'],
  summary: 'List the approvals of a workflow run',
  description:
    'Returns every question that the nodes of a run have asked, decided or not, as one array and not as a page: a run asks few.',
  tag: 'Workflows',
  permission: 'flows_run',
  params: workflowApprovalsParams,
  answer: workflowApprovals,
});

export const decideRunApproval = operation({
  id: 'approvals.decideOfRun',
  route: approvalsRoutes['approvals.decideOfRun'],
  summary: 'Decide an approval of a workflow run',
  description:
    'Approves or rejects what a node asks, and the run goes on. The caller needs the permission that the approval names and, with `four_eyes`, must not have started the run; `withdraw` is for the caller who started it alone. A second decision, or one after the time limit, is answered with 409.',
  tag: 'Workflows',
  permission: 'flows_run',
  params: workflowApprovalParams,
  body: workflowApprovalDecision,
  example: { decision: 'approve', note: 'Looks good' },
  answer: workflowApproval,
});

export const approvalsOperations = [
  listApprovals,
  listConversationApprovals,
  decideApproval,
  endApprovalScope,
  listRunApprovals,
  decideRunApproval,
];
