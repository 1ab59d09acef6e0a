/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const feedbackRoutes = {
  'feedback.giveForMessage': 'POST /v1/conversations/{conversation_id}/messages/{message_id}/feedback',
  'feedback.deleteForMessage': 'DELETE /v1/conversations/{conversation_id}/messages/{message_id}/feedback',
  'feedback.giveForConversation': 'POST /v1/conversations/{conversation_id}/feedback',
  'feedback.deleteForConversation': 'DELETE /v1/conversations/{conversation_id}/feedback',
  'feedback.listAll': 'GET /v1/feedback',
  'feedback.list': 'GET /v1/conversations/{conversation_id}/feedback',
  'publicConversations.giveFeedback': 'POST /v1/public/conversations/{token}/feedback',
} as const;
