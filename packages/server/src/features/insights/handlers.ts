import { getCustomAnswers, getSatisfaction, getTopTopics } from '@atrium/contract/insights/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Insights } from './service.ts';

export const insightRoutes = (insights: Insights): Route[] => [
  handle(getTopTopics, (scope, { params, query }) => insights.topTopics(scope, params.assistant_id, query)),
  handle(getSatisfaction, (scope, { params, query }) => insights.csat(scope, params.assistant_id, query.days)),
  handle(getCustomAnswers, (scope, { params, query }) => insights.custom(scope, params.assistant_id, query.days)),
];
