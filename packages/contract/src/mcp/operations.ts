import * as z from 'zod';
import { operation } from '../operation.ts';
import { paged, summaryOf } from '../page.ts';
import { deleted } from '../uses/schema.ts';
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
  mcpTrial,
  mcpTry,
} from './schema.ts';

const tag = 'MCP servers';

const permission = 'integrations_edit';

export const listMcpServers = operation({
  id: 'mcpServers.list',
  route: mcpRoutes['mcpServers.list'],
  summary: 'List the MCP servers that agents have met, with their tools',
  description:
    'Returns the MCP servers of the workspace by address, page by page: those that an agent has connected to and those that were created here. Secrets are masked.',
  tag,
  permission,
  query: mcpServerQuery,
  answer: paged(
    mcpServer,
    summaryOf(mcpServer, ['id', 'url', 'grant_type', 'held', 'last_error', 'created_at', 'updated_at']),
  ),
});

export const createMcpServer = operation({
  id: 'mcpServers.create',
  route: mcpRoutes['mcpServers.create'],
  summary: 'Set how to log in to an MCP server by OAuth',
  description:
    'Stores a login for the server at `url`; every agent of the workspace whose settings have this address then uses it. An address with a template can not have a login, and an address can be stored once.',
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

export const tryMcpServer = operation({
  id: 'mcpServers.try',
  route: mcpRoutes['mcpServers.try'],
  summary: 'Try an MCP server and list its tools, before any agent has it',
  description:
    'Connects to an address and lists the tools of the server there; nothing is stored, and no tool is called. Private addresses are reached only where the operator allows it. A server that fails is part of the answer, not an error. To give an agent the server, add it to `mcp_servers` of the agent.',
  tag,
  permission,
  audit: { none: 'it tries an address and changes nothing' },
  idempotency: 'none',
  body: mcpTry,
  example: { url: 'http://127.0.0.1:3001/mcp' },
  answer: mcpTrial,
});

export const finishMcpLogin = operation({
  id: 'mcpServers.finishLogin',
  route: mcpRoutes['mcpServers.finishLogin'],
  summary: 'Finish the login to an MCP server in the browser',
  description:
    'The redirect target of the authorization server, for browsers only. Exchanges the code for tokens if the same browser started the login, and answers a short text for the user.',
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
  summary: 'Show the page that a login to an MCP server begins at',
  description:
    'The page at `authorization_url`, for browsers only. It says which MCP server and which workspace the login is for, and changes nothing until the user presses the button.',
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
  summary: 'Continue a login to an MCP server in the browser',
  description:
    'The target of the button on the login page, for browsers only. Binds the login to this browser and redirects (303) to the authorization server.',
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
  summary: 'Start a browser login to an MCP server',
  description:
    'Finds the authorization server of the MCP server, registers Atrium there if needed, and returns the page to open. The login expires after 10 minutes. When it is finished, all agents of the workspace act at the server with the rights of the user who logged in.',
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
  description: 'Returns one MCP server with the states of its tools. Secrets are masked.',
  tag,
  permission,
  params: mcpServerParams,
  answer: mcpServer,
});

export const updateMcpServer = operation({
  id: 'mcpServers.update',
  route: mcpRoutes['mcpServers.update'],
  summary: 'Update the login of an MCP server',
  description:
    'Changes the given fields of the login and drops the current access token. A secret that is left out, or sent as eight asterisks, stays; to change `token_url`, send the secrets again.',
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
  summary: 'Delete an MCP server',
  description:
    'Deletes the stored login and the record of its tools. When an agent connects to the address again, the tools of that moment are accepted as with any new server.',
  tag,
  permission,
  params: mcpServerParams,
  answer: deleted,
});

export const listMcpTools = operation({
  id: 'mcpServers.listTools',
  route: mcpRoutes['mcpServers.listTools'],
  summary: 'List the tools of an MCP server with their definitions',
  description:
    'Returns each tool with the definition that agents use and the one that is held back, to compare before accepting it.',
  tag,
  permission,
  params: mcpServerParams,
  query: mcpToolQuery,
  answer: paged(mcpTool, summaryOf(mcpTool, ['name', 'state', 'first_seen_at', 'changed_at', 'accepted_at'])),
});

export const acceptMcpTools = operation({
  id: 'mcpServers.acceptTools',
  route: mcpRoutes['mcpServers.acceptTools'],
  summary: 'Accept tools of an MCP server that are held back',
  description:
    'Agents can call the accepted tools from then on. Accepts the named tools, or all that are held back; send `digests` to accept only what the user has seen.',
  tag,
  permission,
  params: mcpServerParams,
  body: mcpAccept,
  example: {},
  answer: mcpServer,
});

export const mcpOperations = [
  listMcpServers,
  tryMcpServer,
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
