import { operation } from '../operation.ts';
import { analyticsRoutes } from './routes.ts';
import { analyticsAnswer, analyticsParams, analyticsQuery } from './schema.ts';

export const getAnalytics = operation({
  id: 'analytics.get',
  route: analyticsRoutes['analytics.get'],
  summary: 'A figure of the workspace over time, or by agent, version, model, user or key',
  tag: 'Insights',
  permission: 'insights_read',
  params: analyticsParams,
  query: analyticsQuery,
  answer: analyticsAnswer,
});

export const analyticsOperations = [getAnalytics];
