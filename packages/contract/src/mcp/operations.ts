import { z } from 'zod';
import { operation } from '../operation.ts';
import { paged, success } from '../page.ts';
import { mcpRoutes } from './routes.ts';
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

const tag = 'MCP servers';

const permission = 'integrations_edit';

export const listMcpServers = operation({
  id: 'mcpServers.list',
  route: mcpRoutes['mcpServers.list'],
  summary: 'List the MCP servers that agents have met, and their tools; secrets are masked',
  tag,
  permission,
  query: mcpServerQuery,
  answer: paged(mcpServer),
});

export const createMcpServer = operation({
  id: 'mcpServers.create',
  route: mcpRoutes['mcpServers.create'],
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
});

export const finishMcpLogin = operation({
  id: 'mcpServers.finishLogin',
  route: mcpRoutes['mcpServers.finishLogin'],
  summary: 'Where a browser comes back to that was sent to log in to an MCP server',
  tag,
  permission: 'open',
  params: mcpCallbackParams,
  query: mcpCallbackQuery,
  answer: z.string(),
  content_type: 'text/plain',
});

export const showMcpLogin = operation({
  id: 'mcpServers.showLogin',
  route: mcpRoutes['mcpServers.showLogin'],
  summary: 'The page that a login begins at: it says which MCP server and workspace it is for',
  tag,
  permission: 'open',
  params: mcpCallbackParams,
  query: mcpLoginQuery,
  answer: z.string(),
  content_type: 'text/html',
});

export const continueMcpLogin = operation({
  id: 'mcpServers.continueLogin',
  route: mcpRoutes['mcpServers.continueLogin'],
  summary: 'Go on from that page: sends the browser to where a person logs in, and binds the login to it',
  tag,
  permission: 'open',
  params: mcpCallbackParams,
  query: mcpLoginQuery,
  raw: true,
  body_limit: 10_000,
  idempotency: 'own',
  answer: z.string(),
  content_type: 'text/html',
});

export const startMcpLogin = operation({
  id: 'mcpServers.startLogin',
  route: mcpRoutes['mcpServers.startLogin'],
  summary: 'Begin to log in to an MCP server by a browser; answers the address to open',
  tag,
  permission,
  params: mcpServerParams,
  body: mcpAuthorize,
  example: {},
  answer: mcpAuthorization,
});

export const getMcpServer = operation({
  id: 'mcpServers.get',
  route: mcpRoutes['mcpServers.get'],
  summary: 'Get an MCP server',
  tag,
  permission,
  params: mcpServerParams,
  answer: mcpServer,
});

export const updateMcpServer = operation({
  id: 'mcpServers.update',
  route: mcpRoutes['mcpServers.update'],
  summary:
    'Change how to log in to an MCP server; a secret that is left out stays, but another token_url needs it again',
  tag,
  permission,
  params: mcpServerParams,
  body: mcpServerPatch,
  example: {},
  answer: mcpServer,
});

export const deleteMcpServer = operation({
  id: 'mcpServers.delete',
  route: mcpRoutes['mcpServers.delete'],
  summary: 'Forget an MCP server: its login, and what its tools were',
  tag,
  permission,
  params: mcpServerParams,
  answer: success,
});

export const listMcpTools = operation({
  id: 'mcpServers.listTools',
  route: mcpRoutes['mcpServers.listTools'],
  summary: 'List the tools of an MCP server with what they say of themselves: accepted, and held back',
  tag,
  permission,
  params: mcpServerParams,
  query: mcpToolQuery,
  answer: paged(mcpTool),
});

export const acceptMcpTools = operation({
  id: 'mcpServers.acceptTools',
  route: mcpRoutes['mcpServers.acceptTools'],
  summary: 'Accept tools of an MCP server that are held back; all of them, or those that are named',
  tag,
  permission,
  params: mcpServerParams,
  body: mcpAccept,
  example: {},
  answer: mcpServer,
});

export const mcpOperations = [
  listMcpServers,
  createMcpServer,
  finishMcpLogin,
  showMcpLogin,
  continueMcpLogin,
  startMcpLogin,
  getMcpServer,
  updateMcpServer,
  deleteMcpServer,
  listMcpTools,
  acceptMcpTools,
];
