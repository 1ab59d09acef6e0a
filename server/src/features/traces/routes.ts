import { defineRoute, type Route } from '../../lib/route.ts';
import { runParams } from '../runs/schema.ts';
import { trace } from './schema.ts';
import type { Traces } from './service.ts';

export const traceRoutes = (traces: Traces): Route[] => [
  defineRoute({
    route: 'GET /v1/runs/{run_id}/trace',
    summary: 'How a run came about: its models, tools and guardrails, with times, tokens, cost and prompts as sent',
    tag: 'Runs',
    // It shows what others said, and what the agent was told about how to answer.
    permission: 'conversations_read',
    params: runParams,
    answer: trace,
    handler: (scope, { params }) => traces(scope.workspace_id, params.run_id),
  }),
];
