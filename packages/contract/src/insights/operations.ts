import { operation } from '../operation.ts';
import { insightsRoutes } from './routes.ts';
import { csat, customInsights, daysQuery, insightParams, topTopics, topTopicsQuery } from './schema.ts';

const tag = 'Insights';

const permission = 'insights_read';

const params = insightParams;

export const getTopTopics = operation({
  id: 'insights.topTopics',
  route: insightsRoutes['insights.topTopics'],
  summary: 'List the most frequent topics of the conversations of an agent',
  description:
    'Returns the topics of the conversations of the last days, the most frequent first, without pages: `limit` says how many. Conversations get a topic when the agent has `insights_enabled` and they have been quiet for a while (ten minutes by default). Labels contain no personal data.',
  tag,
  permission,
  params,
  query: topTopicsQuery,
  answer: topTopics,
});

export const getSatisfaction = operation({
  id: 'insights.satisfaction',
  route: insightsRoutes['insights.satisfaction'],
  summary: 'Get the satisfaction scores of the conversations of an agent',
  description:
    'Returns the average and the distribution of the satisfaction scores (1 to 5) of the last days, from feedback of users, notes of the agent and the judge model. Scores are collected when the agent has `insights_csat_enabled`; preview conversations are left out.',
  tag,
  permission,
  params,
  query: daysQuery,
  answer: csat,
});

export const getCustomAnswers = operation({
  id: 'insights.customAnswers',
  route: insightsRoutes['insights.customAnswers'],
  summary: 'Get the answers to the custom questions about the conversations of an agent',
  description:
    'Returns, for each question of `insights_custom_definitions`, the answers that a language model gave about the conversations of the last days. Questions that were removed from the agent are listed as long as they have answers in that time.',
  tag,
  permission,
  params,
  query: daysQuery,
  answer: customInsights,
});

export const insightsOperations = [getTopTopics, getSatisfaction, getCustomAnswers];
