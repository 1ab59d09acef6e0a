/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const usesRoutes = {
  'agents.listUses': 'GET /v1/agents/{agent_id}/used-by',
  'workflows.listUses': 'GET /v1/workflows/{workflow_id}/used-by',
  'knowledgeBases.listUses': 'GET /v1/knowledge-bases/{knowledge_base_id}/used-by',
  'tables.listUses': 'GET /v1/tables/{table_id}/used-by',
  'files.listUses': 'GET /v1/files/{file_id}/used-by',
  'variables.listUses': 'GET /v1/variables/{variable_id}/used-by',
  'mcpServers.listUses': 'GET /v1/mcp-servers/{mcp_server_id}/used-by',
} as const;
