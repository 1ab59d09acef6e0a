import { done, paged, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import { mcpAccept, mcpServer, mcpServerCreate, mcpServerParams, mcpServerPatch, mcpServerQuery } from './schema.ts';
import type { McpServers } from './service.ts';

const tag = 'MCP servers';
const permission = 'integrations_edit';

export const mcpServerRoutes = (servers: McpServers): Route[] => [
  defineRoute({
    route: 'GET /v1/mcp-servers',
    summary: 'List the MCP servers that agents have met, and their tools; secrets are masked',
    tag,
    permission,
    query: mcpServerQuery,
    answer: paged(mcpServer),
    handler: (scope, { query }) => servers.list(scope, query),
  }),
  defineRoute({
    route: 'POST /v1/mcp-servers',
    summary: 'Say how to log in to an MCP server by OAuth',
    tag,
    permission,
    body: mcpServerCreate,
    example: {
      url: 'https://mcp.example.com/mcp',
      grant_type: 'client_credentials',
      token_url: 'https://login.example.com/token',
      client_id: 'atrium',
      client_secret: 'example',
    },
    answer: mcpServer,
    handler: (scope, { body }) => servers.create(scope, body),
  }),
  defineRoute({
    route: 'GET /v1/mcp-servers/{mcp_server_id}',
    summary: 'Get an MCP server',
    tag,
    permission,
    params: mcpServerParams,
    answer: mcpServer,
    handler: (scope, { params }) => servers.get(scope, params.mcp_server_id),
  }),
  defineRoute({
    route: 'PATCH /v1/mcp-servers/{mcp_server_id}',
    summary:
      'Change how to log in to an MCP server; a secret that is left out stays, but another token_url needs it again',
    tag,
    permission,
    params: mcpServerParams,
    body: mcpServerPatch,
    example: {},
    answer: mcpServer,
    handler: (scope, { params, body }) => servers.update(scope, params.mcp_server_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/mcp-servers/{mcp_server_id}',
    summary: 'Forget an MCP server: its login, and what its tools were',
    tag,
    permission,
    params: mcpServerParams,
    answer: success,
    handler: async (scope, { params }) => {
      await servers.remove(scope, params.mcp_server_id);
      return done;
    },
  }),
  defineRoute({
    route: 'POST /v1/mcp-servers/{mcp_server_id}/accept',
    summary: 'Accept tools of an MCP server that have changed since they were first seen',
    tag,
    permission,
    params: mcpServerParams,
    body: mcpAccept,
    example: { tools: ['search'] },
    answer: mcpServer,
    handler: (scope, { params, body }) => servers.accept(scope, params.mcp_server_id, body.tools),
  }),
];
