import { defineRoute, type Route } from '../../lib/route.ts';
import { analyticsAnswer, analyticsParams, analyticsQuery } from './schema.ts';
import type { Analytics } from './service.ts';

export const analyticsRoutes = (analytics: Analytics): Route[] => [
  defineRoute({
    route: 'GET /v1/analytics/{metric}',
    summary: 'A figure of the workspace over time, or by agent, version, model, user or key',
    tag: 'Insights',
    permission: 'insights_read',
    params: analyticsParams,
    query: analyticsQuery,
    answer: analyticsAnswer,
    handler: (scope, { params, query }) => analytics(scope, params.metric, query),
  }),
];
