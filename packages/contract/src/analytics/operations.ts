import { operation } from '../operation.ts';
import { analyticsRoutes } from './routes.ts';
import { analyticsAnswer, analyticsParams, analyticsQuery, overviewAnswer, overviewQuery } from './schema.ts';

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

export const getAnalyticsOverview = operation({
  id: 'analytics.overview',
  route: analyticsRoutes['analytics.overview'],
  summary: 'Get several figures of the workspace at once, with those of the period before',
  description:
    'Returns each metric for a time range and for the period of the same length before it, for the whole workspace or one agent and, with `group_by`, for each agent, version, person, channel, topic or tool. `conversations` gives the parameters of `GET /v1/conversations` that lead from a figure to its conversations, `tool_calls` those of `GET /v1/tool-calls`. It counts as one request against the limit of figures.',
  tag: 'Insights',
  permission: 'insights_read',
  query: overviewQuery,
  answer: overviewAnswer,
});

export const analyticsOperations = [getAnalytics, getAnalyticsOverview];
