import { z } from 'zod';
import { RawAnswer } from '../../lib/answer.ts';
import { done, paged, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { Authorization } from './authorization.ts';
import type { Login } from './login.ts';
import { pageHeaders } from './login-page.ts';
import {
  mcpAccept,
  mcpAuthorization,
  mcpAuthorize,
  mcpCallbackParams,
  mcpCallbackQuery,
  mcpLoginQuery,
  mcpServer,
  mcpServerCreate,
  mcpServerParams,
  mcpServerPatch,
  mcpServerQuery,
  mcpTool,
  mcpToolQuery,
} from './schema.ts';
import type { McpServers } from './service.ts';
import type { ToolStates } from './tool-states.ts';

const tag = 'MCP servers';
const permission = 'integrations_edit';

/** What a person reads in the browser that has come back. */
const loggedIn = (cookie: string) =>
  new RawAnswer('Logged in. This window can be closed.\n', {
    'content-type': 'text/plain; charset=utf-8',
    'set-cookie': cookie,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });

export const mcpServerRoutes = (
  servers: McpServers,
  states: ToolStates,
  { authorization, login }: { authorization: Authorization; login: Login },
): Route[] => [
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
    route: 'GET /v1/mcp-servers/{mcp_server_id}/callback',
    summary: 'Where a browser comes back to that was sent to log in to an MCP server',
    tag,
    permission: 'open',
    params: mcpCallbackParams,
    query: mcpCallbackQuery,
    answer: z.string(),
    content_type: 'text/plain',
    handler: async (_, { params, query, raw }) =>
      loggedIn(await authorization.finish(params.mcp_server_id, query, raw().headers['cookie'])),
  }),
  defineRoute({
    route: 'GET /v1/mcp-servers/{mcp_server_id}/login',
    summary: 'The page that a login begins at: it says which MCP server and workspace it is for',
    tag,
    permission: 'open',
    params: mcpCallbackParams,
    query: mcpLoginQuery,
    answer: z.string(),
    content_type: 'text/html',
    handler: async (_, { params, query, raw }) => {
      const { html, cookie } = await login.page(params.mcp_server_id, query.ticket, raw().headers['cookie']);
      return new RawAnswer(html, { ...pageHeaders, 'set-cookie': cookie });
    },
  }),
  defineRoute({
    route: 'POST /v1/mcp-servers/{mcp_server_id}/login',
    summary: 'Go on from that page: sends the browser to where a person logs in, and binds the login to it',
    tag,
    permission: 'open',
    params: mcpCallbackParams,
    query: mcpLoginQuery,
    raw: true,
    body_limit: 10_000,
    // Whoever presses the button twice is sent to the same place.
    idempotency: 'own',
    answer: z.string(),
    content_type: 'text/html',
    handler: async (_, { params, query, raw }) => {
      const { bytes, headers } = raw();
      const form = new URLSearchParams(bytes.toString());
      const location = await login.goOn(params.mcp_server_id, query.ticket, headers['cookie'], form);
      return new RawAnswer('', { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }, 303);
    },
  }),
  defineRoute({
    route: 'POST /v1/mcp-servers/{mcp_server_id}/authorize',
    summary: 'Begin to log in to an MCP server by a browser; answers the address to open',
    tag,
    permission,
    params: mcpServerParams,
    body: mcpAuthorize,
    example: {},
    answer: mcpAuthorization,
    handler: (scope, { params, body }) => authorization.start(scope, params.mcp_server_id, body),
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
    route: 'GET /v1/mcp-servers/{mcp_server_id}/tools',
    summary: 'List the tools of an MCP server with what they say of themselves: accepted, and held back',
    tag,
    permission,
    params: mcpServerParams,
    query: mcpToolQuery,
    answer: paged(mcpTool),
    handler: (scope, { params, query }) => states.list(scope, params.mcp_server_id, query),
  }),
  defineRoute({
    route: 'POST /v1/mcp-servers/{mcp_server_id}/accept',
    summary: 'Accept tools of an MCP server that are held back; all of them, or those that are named',
    tag,
    permission,
    params: mcpServerParams,
    body: mcpAccept,
    example: {},
    answer: mcpServer,
    handler: async (scope, { params, body }) => {
      await states.accept(scope, params.mcp_server_id, body);
      return servers.get(scope, params.mcp_server_id);
    },
  }),
];
