import { operation } from '../operation.ts';
import { approvalsRoutes } from './routes.ts';
import { inboxPage, inboxQuery } from './schema.ts';

export const listApprovals = operation({
  id: 'approvals.list',
  route: approvalsRoutes['approvals.list'],
  summary: 'List what people are asked in the workspace, by conversations and workflows, the latest first',
  tag: 'Approvals',
  permission: 'any',
  query: inboxQuery,
  answer: inboxPage,
});

export const approvalInboxOperations = [listApprovals];
