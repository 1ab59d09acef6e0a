/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const conversationFilesRoutes = {
  'conversationFiles.list': 'GET /v1/conversations/{conversation_id}/files',
  'conversationFiles.view': 'GET /v1/conversations/{conversation_id}/files/{file_id}',
  'publicConversations.downloadFile': 'GET /v1/public/conversations/{token}/files/{file_id}',
} as const;
