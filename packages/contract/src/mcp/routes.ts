/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const mcpRoutes = {
  'mcpPrograms.list': 'GET /v1/mcp-programs',
  'mcpPrograms.listOfWorkspace': 'GET /v1/admin/groups/{group_id}/mcp-programs',
  'mcpPrograms.setOfWorkspace': 'PUT /v1/admin/groups/{group_id}/mcp-programs',
  'mcpServers.list': 'GET /v1/mcp-servers',
  'mcpServers.try': 'POST /v1/mcp-servers/test',
  'mcpServers.create': 'POST /v1/mcp-servers',
  'mcpServers.finishLogin': 'GET /v1/mcp-servers/{mcp_server_id}/callback',
  'mcpServers.showLogin': 'GET /v1/mcp-servers/{mcp_server_id}/login',
  'mcpServers.continueLogin': 'POST /v1/mcp-servers/{mcp_server_id}/login',
  'mcpServers.startLogin': 'POST /v1/mcp-servers/{mcp_server_id}/authorize',
  'mcpServers.get': 'GET /v1/mcp-servers/{mcp_server_id}',
  'mcpServers.update': 'PATCH /v1/mcp-servers/{mcp_server_id}',
  'mcpServers.delete': 'DELETE /v1/mcp-servers/{mcp_server_id}',
  'mcpServers.listTools': 'GET /v1/mcp-servers/{mcp_server_id}/tools',
  'mcpServers.acceptTools': 'POST /v1/mcp-servers/{mcp_server_id}/accept',
} as const;
