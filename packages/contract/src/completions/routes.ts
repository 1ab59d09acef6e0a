/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const completionsRoutes = {
  'completions.create': 'POST /v1/chat/completions',
  'embeddings.create': 'POST /v1/embeddings',
  'completions.listModels': 'GET /v1/models',
  'completions.getModel': 'GET /v1/models/{model}',
} as const;
