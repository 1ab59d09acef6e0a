/** Agents, conversations, messages, models and runs. */
export const chatRoutes = {
  agentVersions: [
    '/v1/agents/{}/versions',
    {
      list: 'GET',
      create: 'POST',
      compare: 'GET /diff',
      get: 'GET /{}',
      publish: 'POST /{}/publish',
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
      restore: 'POST /{}/restore',
      duplicate: 'POST /{}/duplicate',
      follow: 'POST /{}/follow',
      unfollow: 'DELETE /{}/follow',
      listFollowers: 'GET /{}/followers',
      listFollowed: 'GET /v1/me/followed-agents',
      setPicture: 'POST /{}/picture',
      removePicture: 'DELETE /{}/picture',
      getPicture: 'GET /{}/picture',
      export: 'GET /{}/export',
      import: 'POST /import',
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
      stream: 'POST /{}/stream',
      follow: 'GET /{}/events',
      stop: 'POST /{}/stop',
    },
  ],
  conversations: [
    '/v1/conversations',
    {
      lock: 'POST /{}/lock',
      unlock: 'POST /{}/unlock',
      share: 'POST /{}/share',
      unshare: 'DELETE /{}/share',
      bulk: 'POST /bulk',
      exportMany: 'POST /export',
      copy: 'POST /{}/messages/{}/copy',
      getMarks: 'GET /{}/marks',
      mark: 'POST /{}/marks',
      export: 'GET /{}/export',
      create: 'POST',
      list: 'GET',
      get: 'GET /{}',
      update: 'PATCH /{}',
      delete: 'DELETE /{}',
      listMessages: 'GET /{}/messages',
    },
  ],
  branches: [
    '/v1/conversations',
    {
      list: 'GET /{}/branches',
      listOfMessage: 'GET /{}/messages/{}/branches',
      choose: 'POST /{}/messages/{}/choose',
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
      test: 'POST /{}/test',
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
      stop: 'POST /{}/stop',
      retry: 'POST /{}/retry',
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
      chat: 'POST /{}/chat',
      stream: 'POST /{}/stream',
      follow: 'GET /{}/events',
      stop: 'POST /{}/stop',
      replyAsPerson: 'POST /{}/human',
      edit: 'POST /{}/messages/{}/edit',
      regenerate: 'POST /{}/messages/{}/regenerate',
    },
  ],
  safety: [
    '/v1/safety',
    {
      findPersonalData: 'POST /pii',
      check: 'POST /check',
      listAllViolations: 'GET /v1/violations',
      listViolations: 'GET /v1/conversations/{}/violations',
    },
  ],
} as const;
