import { handle, type Route } from '../../lib/route.ts';
import { getAnalytics } from './operations.ts';
import type { Analytics } from './service.ts';

export const analyticsRoutes = (analytics: Analytics): Route[] => [
  handle(getAnalytics, (scope, { params, query }) => analytics(scope, params.metric, query)),
];
