import { defineRoute, type Route } from '../../lib/route.ts';
import { csat, customInsights, daysQuery, insightParams, topTopics, topTopicsQuery } from './schema.ts';
import type { Insights } from './service.ts';

const tag = 'Insights';
const permission = 'insights_read';
const params = insightParams;

export const insightRoutes = (insights: Insights): Route[] => [
  defineRoute({
    route: 'GET /v1/agents/{assistant_id}/insights/top-topics',
    summary: 'What the conversations of an agent are about most',
    tag,
    permission,
    params,
    query: topTopicsQuery,
    answer: topTopics,
    handler: (scope, { params, query }) => insights.topTopics(scope, params.assistant_id, query),
  }),
  defineRoute({
    route: 'GET /v1/agents/{assistant_id}/insights/csat',
    summary: 'How content people are with the conversations of an agent',
    tag,
    permission,
    params,
    query: daysQuery,
    answer: csat,
    handler: (scope, { params, query }) => insights.csat(scope, params.assistant_id, query.days),
  }),
  defineRoute({
    route: 'GET /v1/agents/{assistant_id}/insights/custom',
    summary: 'Answers to the questions that an agent asks of its conversations',
    tag,
    permission,
    params,
    query: daysQuery,
    answer: customInsights,
    handler: (scope, { params, query }) => insights.custom(scope, params.assistant_id, query.days),
  }),
];
