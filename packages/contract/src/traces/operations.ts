import { operation } from '../operation.ts';
import { runParams } from '../runs/schema.ts';
import { tracesRoutes } from './routes.ts';
import { trace } from './schema.ts';

export const getRunTrace = operation({
  id: 'runs.getTrace',
  route: tracesRoutes['runs.getTrace'],
  summary: 'Get the trace of a run: its model calls, tools and guardrails with times, tokens, cost and prompts',
  description:
    'Returns every model call, tool call and guardrail check of a run in the order of their start. Use it to find out why a run was slow, expensive or wrong. Prompts are those that were sent: private values are placeholders and secrets are handles. They are kept for 14 days by default, and appear a moment after the answer.',
  tag: 'Runs',
  permission: 'conversations_read',
  params: runParams,
  answer: trace,
});

export const tracesOperations = [getRunTrace];
