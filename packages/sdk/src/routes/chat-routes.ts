/** Agents, conversations, messages, models and runs. */
export const chatRoutes = {
  agentVersions: [
    '/v1/agents/{}/versions',
    {
      list: 'GET',
      create: 'POST',
      compare: 'GET /diff',
      get: 'GET /{}',
      publish: 'POST /{}/',
    },
  ],
  unlockRequests: [
    '/v1/agents/{}/unlock-requests',
    {
      list: 'GET',
      create: 'POST',
      decide: 'POST /{}',
    },
  ],
  agents: [
    '/v1/agents',
    {
      list: 'GET',
      create: 'POST',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
      restore: 'POST /{}/',
      duplicate: 'POST /{}/',
      follow: 'POST /{}/',
      unfollow: 'DELETE /{}/follow',
      listFollowers: 'GET /{}/followers',
      listFollowed: 'GET /v1/me/followed-agents',
      tryAction: 'POST /{}/actions/try',
      setPicture: 'POST /{}/picture',
      removePicture: 'DELETE /{}/picture',
      getPicture: 'GET /{}/picture',
      export: 'GET /{}/',
      import: 'POST /',
      listUses: 'GET /{}/used-by',
    },
  ],
  startingPoints: [
    '/v1/starting-points',
    {
      list: 'GET',
    },
  ],
  approvals: [
    '/v1/conversations/{}/approvals',
    {
      list: 'GET /v1/approvals',
      listOfConversation: 'GET',
      decide: 'POST /{}',
      endScope: 'POST /{}/end',
      listOfRun: 'GET /v1/runs/{}/approvals',
      decideOfRun: 'POST /v1/runs/{}/approvals/{}',
    },
  ],
  completions: [
    '/v1/models',
    {
      create: 'POST /v1/chat/completions',
      listModels: 'GET',
      getModel: 'GET /{}',
    },
  ],
  embeddings: [
    '/v1/embeddings',
    {
      create: 'POST',
    },
  ],
  conversationFiles: [
    '/v1/conversations/{}/files',
    {
      list: 'GET',
      view: 'GET /{}',
    },
  ],
  publicConversations: [
    '/v1/public/conversations',
    {
      downloadFile: 'GET /{}/files/{}',
      get: 'GET /{}',
      giveFeedback: 'POST /{}/feedback',
      stream: 'POST /{}/',
      follow: 'GET /{}/events',
      stop: 'POST /{}/',
    },
  ],
  conversations: [
    '/v1/conversations',
    {
      lock: 'POST /{}/',
      unlock: 'POST /{}/',
      share: 'POST /{}/',
      unshare: 'DELETE /{}/share',
      listShares: 'GET /{}/shares',
      shareWith: 'POST /{}/shares',
      unshareWith: 'DELETE /{}/shares/{}',
      bulk: 'POST /',
      exportMany: 'POST /export',
      copy: 'POST /{}/messages/{}/',
      summarize: 'POST /{}/',
      continue: 'POST /{}/',
      getMarks: 'GET /{}/marks',
      mark: 'POST /{}/marks',
      export: 'GET /{}/',
      create: 'POST',
      list: 'GET',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
      listMessages: 'GET /{}/messages',
    },
  ],
  audience: ['/v1/audience', { list: 'GET' }],
  branches: [
    '/v1/conversations',
    {
      list: 'GET /{}/branches',
      listOfMessage: 'GET /{}/messages/{}/branches',
      choose: 'POST /{}/messages/{}/',
    },
  ],
  feedback: [
    '/v1/conversations',
    {
      giveForMessage: 'POST /{}/messages/{}/feedback',
      deleteForMessage: 'DELETE /{}/messages/{}/feedback',
      giveForConversation: 'POST /{}/feedback',
      deleteForConversation: 'DELETE /{}/feedback',
      listAll: 'GET /v1/feedback',
      list: 'GET /{}/feedback',
    },
  ],
  agentMemories: [
    '/v1/agents/{}/memories',
    {
      list: 'GET',
      deleteAll: 'DELETE',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
    },
  ],
  conversationMemories: [
    '/v1/conversations/{}/memories',
    {
      list: 'GET',
      deleteAll: 'DELETE',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
    },
  ],
  providers: [
    '/v1/admin/providers',
    {
      list: 'GET',
      create: 'POST',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
      try: 'POST /test',
      test: 'POST /{}/',
      health: 'GET /',
    },
  ],
  defaults: [
    '/v1/admin/defaults',
    {
      get: 'GET',
      set: 'PUT',
    },
  ],
  models: [
    '/v1/models',
    {
      list: 'GET /llms',
    },
  ],
  presets: [
    '/v1/admin/presets',
    {
      list: 'GET /v1/models/llms/presets',
      get: 'GET /{}',
      set: 'PUT /{}',
      reset: 'DELETE /{}',
    },
  ],
  runs: [
    '/v1/runs',
    {
      list: 'GET',
      get: 'GET /{}',
      follow: 'GET /{}/events',
      stop: 'POST /{}/',
      retry: 'POST /{}/',
      retryModelCall: 'POST /{}/trace/{}/retry',
      getTrace: 'GET /{}/trace',
    },
  ],
  toolCalls: [
    '/v1/runs',
    {
      list: 'GET /v1/tool-calls',
      listOfRun: 'GET /{}/tool-calls',
    },
  ],
  messages: [
    '/v1/conversations',
    {
      send: 'POST /{}',
      chat: 'POST /{}/',
      stream: 'POST /{}/',
      follow: 'GET /{}/events',
      stop: 'POST /{}/',
      replyAsPerson: 'POST /{}/human',
      edit: 'POST /{}/messages/{}/',
      regenerate: 'POST /{}/messages/{}/',
    },
  ],
  safety: [
    '/v1/safety',
    {
      findPersonalData: 'POST /pii',
      check: 'POST /',
      listAllViolations: 'GET /v1/violations',
      listViolations: 'GET /v1/conversations/{}/violations',
    },
  ],
} as const;
