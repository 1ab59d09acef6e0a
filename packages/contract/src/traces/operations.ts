import { operation } from '../operation.ts';
import { runParams } from '../runs/schema.ts';
import { tracesRoutes } from './routes.ts';
import { trace } from './schema.ts';

export const getRunTrace = operation({
  id: 'runs.getTrace',
  route: tracesRoutes['runs.getTrace'],
  summary: 'How a run came about: its models, tools and guardrails, with times, tokens, cost and prompts as sent',
  tag: 'Runs',
  permission: 'conversations_read',
  params: runParams,
  answer: trace,
});

export const tracesOperations = [getRunTrace];
