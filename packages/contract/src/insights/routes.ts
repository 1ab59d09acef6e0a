/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const insightsRoutes = {
  'insights.topTopics': 'GET /v1/agents/{assistant_id}/insights/top-topics',
  'insights.satisfaction': 'GET /v1/agents/{assistant_id}/insights/csat',
  'insights.customAnswers': 'GET /v1/agents/{assistant_id}/insights/custom',
} as const;
