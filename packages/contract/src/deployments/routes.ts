/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const deploymentsRoutes = {
  'deployments.listAll': 'GET /v1/deployments',
  'deployments.list': 'GET /v1/agents/{agent_id}/deployments',
  'deployments.create': 'POST /v1/agents/{agent_id}/deployments',
  'deployments.get': 'GET /v1/agents/{agent_id}/deployments/{deployment_id}',
  'deployments.update': 'PATCH /v1/agents/{agent_id}/deployments/{deployment_id}',
  'deployments.rotate': 'POST /v1/agents/{agent_id}/deployments/{deployment_id}/rotate',
  'deployments.takeOver': 'POST /v1/agents/{agent_id}/deployments/{deployment_id}/take-over',
  'deployments.delete': 'DELETE /v1/agents/{agent_id}/deployments/{deployment_id}',
} as const;
