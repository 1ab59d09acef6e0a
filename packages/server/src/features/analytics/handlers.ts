import { getAnalytics } from '@atrium/contract/analytics/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Analytics } from './service.ts';

export const analyticsRoutes = (analytics: Analytics): Route[] => [
  handle(getAnalytics, (scope, { params, query }) => analytics(scope, params.metric, query)),
];
