/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const agentsRoutes = {
  'agentVersions.list': 'GET /v1/agents/{agent_id}/versions',
  'agentVersions.create': 'POST /v1/agents/{agent_id}/versions',
  'agentVersions.compare': 'GET /v1/agents/{agent_id}/versions/diff',
  'agentVersions.get': 'GET /v1/agents/{agent_id}/versions/{version_id}',
  'agentVersions.publish': 'POST /v1/agents/{agent_id}/versions/{version_id}/publish',
  'unlockRequests.list': 'GET /v1/agents/{agent_id}/unlock-requests',
  'unlockRequests.create': 'POST /v1/agents/{agent_id}/unlock-requests',
  'unlockRequests.decide': 'POST /v1/agents/{agent_id}/unlock-requests/{request_id}',
  'agents.list': 'GET /v1/agents',
  'agents.create': 'POST /v1/agents',
  'agents.get': 'GET /v1/agents/{agent_id}',
  'agents.update': 'PATCH /v1/agents/{agent_id}',
  'agents.delete': 'DELETE /v1/agents/{agent_id}',
  'agents.restore': 'POST /v1/agents/{agent_id}/restore',
  'agents.export': 'GET /v1/agents/{agent_id}/export',
  'agents.import': 'POST /v1/agents/import',
} as const;
