import {
  acceptMcpTools,
  continueMcpLogin,
  createMcpServer,
  deleteMcpServer,
  finishMcpLogin,
  getMcpServer,
  listMcpServers,
  listMcpTools,
  showMcpLogin,
  startMcpLogin,
  tryMcpServer,
  updateMcpServer,
} from '@atrium/contract/mcp/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { RawAnswer } from '../../lib/responses/raw-answer.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Authorization } from './oauth/authorization.ts';
import type { Login } from './oauth/login.ts';
import { pageHeaders } from './oauth/login-page.ts';
import type { McpServers } from './service.ts';
import type { ToolStates } from './tools/tool-states.ts';
import type { TryServer } from './try-server.ts';

/** The text that the user reads in the browser after the login. */
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
  { authorization, login, tryServer }: { authorization: Authorization; login: Login; tryServer: TryServer },
): Route[] => [
  handle(listMcpServers, (scope, { query }) => servers.list(scope, query)),
  handle(tryMcpServer, (scope, { body }) => tryServer(scope, body)),
  handle(createMcpServer, (scope, { body }) => servers.create(scope, body)),
  handle(finishMcpLogin, async (_, { params, query, raw }) =>
    loggedIn(await authorization.finish(params.mcp_server_id, query, raw().headers['cookie'])),
  ),
  handle(showMcpLogin, async (_, { params, query, raw }) => {
    const { html, cookie } = await login.page(params.mcp_server_id, query.ticket, raw().headers['cookie']);
    return new RawAnswer(html, { ...pageHeaders, 'set-cookie': cookie });
  }),
  handle(continueMcpLogin, async (_, { params, query, raw }) => {
    const { bytes, headers } = raw();
    const form = new URLSearchParams(bytes.toString());
    const location = await login.goOn(params.mcp_server_id, query.ticket, headers['cookie'], form);
    return new RawAnswer('', { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }, 303);
  }),
  handle(startMcpLogin, (scope, { params, body }) => authorization.start(scope, params.mcp_server_id, body)),
  handle(getMcpServer, (scope, { params }) => servers.get(scope, params.mcp_server_id)),
  handle(updateMcpServer, (scope, { params, body }) => servers.update(scope, params.mcp_server_id, body)),
  handle(deleteMcpServer, async (scope, { params }) => {
    await servers.remove(scope, params.mcp_server_id);
    return done;
  }),
  handle(listMcpTools, (scope, { params, query }) => states.list(scope, params.mcp_server_id, query)),
  handle(acceptMcpTools, async (scope, { params, body }) => {
    await states.accept(scope, params.mcp_server_id, body);
    return servers.get(scope, params.mcp_server_id);
  }),
];
