import { operation } from '../operation.ts';
import { analyticsRoutes } from './routes.ts';
import { analyticsAnswer, analyticsParams, analyticsQuery } from './schema.ts';

export const getAnalytics = operation({
  id: 'analytics.get',
  route: analyticsRoutes['analytics.get'],
  summary: 'Get a figure of the workspace over time, or by agent, version, model, user, key, person or workspace',
  description:
    'Returns one metric of the workspace for a time range: as one number, over time, by group, or both; `type` of the answer says which, and `empty` means that there is no data. Times are milliseconds, cost is US dollars. Preview conversations count for cost only. A workspace has five requests a second on each node; more are answered with 429.',
  tag: 'Insights',
  permission: 'insights_read',
  params: analyticsParams,
  query: analyticsQuery,
  answer: analyticsAnswer,
});

export const analyticsOperations = [getAnalytics];
