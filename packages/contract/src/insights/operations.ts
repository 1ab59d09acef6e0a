import { operation } from '../operation.ts';
import { insightsRoutes } from './routes.ts';
import { csat, customInsights, daysQuery, insightParams, topTopics, topTopicsQuery } from './schema.ts';

const tag = 'Insights';

const permission = 'insights_read';

const params = insightParams;

export const getTopTopics = operation({
  id: 'insights.topTopics',
  route: insightsRoutes['insights.topTopics'],
  summary: 'What the conversations of an agent are about most',
  tag,
  permission,
  params,
  query: topTopicsQuery,
  answer: topTopics,
});

export const getSatisfaction = operation({
  id: 'insights.satisfaction',
  route: insightsRoutes['insights.satisfaction'],
  summary: 'How content people are with the conversations of an agent',
  tag,
  permission,
  params,
  query: daysQuery,
  answer: csat,
});

export const getCustomAnswers = operation({
  id: 'insights.customAnswers',
  route: insightsRoutes['insights.customAnswers'],
  summary: 'Answers to the questions that an agent asks of its conversations',
  tag,
  permission,
  params,
  query: daysQuery,
  answer: customInsights,
});

export const insightsOperations = [getTopTopics, getSatisfaction, getCustomAnswers];
