import { operation } from '../operation.ts';
import { approvalsRoutes } from './routes.ts';
import { inboxPage, inboxQuery } from './schema.ts';

export const listApprovals = operation({
  id: 'approvals.list',
  route: approvalsRoutes['approvals.list'],
  summary: 'List the approvals and questions of the workspace, latest first',
  description:
    'Returns what agents and workflows ask people, as one inbox: tool calls and workflow steps that wait for approval, and questions of agents. A key with `agents_run` sees those of conversations, one with `flows_run` those of workflows; a key with neither gets 403.',
  tag: 'Approvals',
  permission: 'any',
  query: inboxQuery,
  answer: inboxPage,
});

export const approvalInboxOperations = [listApprovals];
