/** Workflows, triggers, channels and what is measured. */
export const workRoutes = {
  analytics: [
    '/v1/analytics',
    {
      overview: 'GET',
      get: 'GET /{}',
    },
  ],
  channels: [
    '/v1/channels',
    {
      receive: 'POST /{}/{}',
    },
  ],
  deployments: [
    '/v1/agents/{}/deployments',
    {
      listAll: 'GET /v1/deployments',
      list: 'GET',
      create: 'POST',
      get: 'GET /{}',
      update: 'PATCH /{}',
      rotate: 'POST /{}/',
      takeOver: 'POST /{}/take-over',
      delete: 'DELETE /{}',
    },
  ],
  evaluations: [
    '/v1/evaluations',
    {
      create: 'POST',
      list: 'GET',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
      report: 'GET /{}/',
    },
  ],
  evaluationCases: [
    '/v1/evaluations/{}/cases',
    {
      list: 'GET',
      create: 'POST',
      createFromMessage: 'POST /from-message',
      get: 'GET /{}',
      update: 'PATCH /{}',
      release: 'POST /{}/release',
      delete: 'DELETE /{}',
    },
  ],
  evaluationRuns: [
    '/v1/evaluations/{}/runs',
    {
      start: 'POST',
      list: 'GET',
      get: 'GET /{}',
    },
  ],
  events: [
    '/v1/events',
    {
      follow: 'GET',
    },
  ],
  insights: [
    '/v1/agents/{}/insights',
    {
      topTopics: 'GET /top-topics',
      satisfaction: 'GET /csat',
      customAnswers: 'GET /custom',
    },
  ],
  mcpPrograms: [
    '/v1/admin/groups/{}/mcp-programs',
    {
      list: 'GET /v1/mcp-programs',
      listOfWorkspace: 'GET',
      setOfWorkspace: 'PUT',
    },
  ],
  mcpServers: [
    '/v1/mcp-servers',
    {
      list: 'GET',
      try: 'POST /test',
      create: 'POST',
      finishLogin: 'GET /{}/callback',
      showLogin: 'GET /{}/login',
      continueLogin: 'POST /{}/login',
      startLogin: 'POST /{}/authorize',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
      listTools: 'GET /{}/tools',
      acceptTools: 'POST /{}/accept',
      listUses: 'GET /{}/used-by',
    },
  ],
  triggers: [
    '/v1/triggers',
    {
      list: 'GET',
      previewSchedule: 'POST /preview',
      listOfWorkflow: 'GET /v1/workflows/{}/triggers',
      createForWorkflow: 'POST /v1/workflows/{}/triggers',
      listOfAgent: 'GET /v1/agents/{}/triggers',
      createForAgent: 'POST /v1/agents/{}/triggers',
      createForChannel: 'POST /v1/agents/{}/triggers/{}',
      get: 'GET /{}',
      update: 'PATCH /{}',
      takeOver: 'POST /{}/take-over',
      delete: 'DELETE /{}',
      fire: 'POST /{}/',
      listDeliveries: 'GET /{}/deliveries',
      redeliver: 'POST /{}/deliveries/{}/',
      receiveHook: 'POST /hooks/{}',
    },
  ],
  workflows: [
    '/v1/workflows',
    {
      listUses: 'GET /{}/used-by',
      getCallbackSecret: 'GET /callback-secret',
      listNodeTypes: 'GET /v1/nodes',
      validate: 'POST /',
      evaluateExpression: 'POST /v1/expressions/evaluate',
      list: 'GET',
      create: 'POST',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
      duplicate: 'POST /{}/',
      restore: 'POST /{}/',
      export: 'GET /{}/',
      import: 'POST /',
    },
  ],
  webhooks: [
    '/v1/webhooks',
    {
      list: 'GET',
      create: 'POST',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
      test: 'POST /{}/',
      listDeliveries: 'GET /{}/deliveries',
      redeliver: 'POST /{}/deliveries/{}/',
    },
  ],
  workflowRuns: [
    '/v1/workflows/{}/runs',
    {
      start: 'POST',
      startAndWait: 'POST /sync',
      list: 'GET',
      get: 'GET /{}',
    },
  ],
  stepSamples: [
    '/v1/workflows/{}/samples',
    {
      list: 'GET',
      save: 'POST',
      delete: 'DELETE /{}',
    },
  ],
  workflowDrafts: [
    '/v1/workflows/{}/draft',
    {
      get: 'GET',
      compare: 'GET /diff',
      publish: 'POST /',
      discard: 'DELETE',
    },
  ],
  workflowVersions: [
    '/v1/workflows/{}/versions',
    {
      list: 'GET',
      create: 'POST',
      get: 'GET /{}',
      update: 'PATCH /{}',
    },
  ],
} as const;
