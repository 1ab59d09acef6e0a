/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const conversationsRoutes = {
  'conversations.lock': 'POST /v1/conversations/{conversation_id}/lock',
  'conversations.unlock': 'POST /v1/conversations/{conversation_id}/unlock',
  'conversations.share': 'POST /v1/conversations/{conversation_id}/share',
  'conversations.unshare': 'DELETE /v1/conversations/{conversation_id}/share',
  'conversations.export': 'GET /v1/conversations/{conversation_id}/export',
  'publicConversations.get': 'GET /v1/public/conversations/{token}',
  'conversations.create': 'POST /v1/conversations',
  'conversations.list': 'GET /v1/conversations',
  'conversations.get': 'GET /v1/conversations/{conversation_id}',
  'conversations.update': 'PATCH /v1/conversations/{conversation_id}',
  'conversations.delete': 'DELETE /v1/conversations/{conversation_id}',
  'conversations.listMessages': 'GET /v1/conversations/{conversation_id}/messages',
  'branches.list': 'GET /v1/conversations/{conversation_id}/branches',
  'branches.listOfMessage': 'GET /v1/conversations/{conversation_id}/messages/{message_id}/branches',
  'branches.choose': 'POST /v1/conversations/{conversation_id}/messages/{message_id}/choose',
} as const;
