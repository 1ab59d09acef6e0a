/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const memoryRoutes = {
  'agentMemories.list': 'GET /v1/agents/{agent_id}/memories',
  'agentMemories.deleteAll': 'DELETE /v1/agents/{agent_id}/memories',
  'agentMemories.get': 'GET /v1/agents/{agent_id}/memories/{memory_id}',
  'agentMemories.update': 'PATCH /v1/agents/{agent_id}/memories/{memory_id}',
  'agentMemories.delete': 'DELETE /v1/agents/{agent_id}/memories/{memory_id}',
  'conversationMemories.list': 'GET /v1/conversations/{conversation_id}/memories',
  'conversationMemories.deleteAll': 'DELETE /v1/conversations/{conversation_id}/memories',
  'conversationMemories.get': 'GET /v1/conversations/{conversation_id}/memories/{memory_id}',
  'conversationMemories.update': 'PATCH /v1/conversations/{conversation_id}/memories/{memory_id}',
  'conversationMemories.delete': 'DELETE /v1/conversations/{conversation_id}/memories/{memory_id}',
} as const;
