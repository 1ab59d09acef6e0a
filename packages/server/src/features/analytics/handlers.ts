import { getAnalytics, getAnalyticsOverview } from '@atrium/contract/analytics/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { ConversationFigures } from './conversation-figures.ts';
import { makeOverview } from './overview.ts';
import type { Figures } from './service.ts';

export const analyticsRoutes = (figures: Figures, ofConversations: ConversationFigures): Route[] => [
  handle(getAnalyticsOverview, (scope, { query }) => makeOverview(figures, ofConversations)(scope, query)),
  handle(getAnalytics, (scope, { params, query }) => figures.get(scope, params.metric, query)),
];
