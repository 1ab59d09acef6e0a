import { defineRoute, type Route } from '../../lib/route.ts';
import { conversationParams } from '../conversations/schema.ts';
import { approval, approvalDecision, approvalPage, approvalParams, approvalQuery } from './approval-schema.ts';
import type { People } from './people.ts';

const tag = 'Approvals';
const permission = 'agents_run';

/** Tool calls that wait for a person's word. */
export const approvalRoutes = (people: People): Route[] => [
  defineRoute({
    route: 'GET /v1/conversations/{conversation_id}/approvals',
    summary: 'List the tool calls of a conversation that wait for approval, and those that have, the latest first',
    tag,
    permission,
    params: conversationParams,
    query: approvalQuery,
    answer: approvalPage,
    handler: (scope, { params, query }) => people.list(scope, params.conversation_id, query),
  }),
  defineRoute({
    route: 'POST /v1/conversations/{conversation_id}/approvals/{approval_id}',
    summary: 'Approve or reject a tool call; it can be answered once',
    tag,
    permission,
    params: approvalParams,
    body: approvalDecision,
    example: { decision: 'approve', note: 'Fine with me' },
    answer: approval,
    handler: (scope, { params, body }) => people.decide(scope, params.conversation_id, params.approval_id, body),
  }),
];
