import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { makeLazyMcp } from '../../drivers/mcp/lazy-client.ts';
import type { Web } from '../../drivers/web/driver.ts';
import type { Agents } from '../../features/agents/service.ts';
import type { RunRequests } from '../../features/approvals/ports.ts';
import type { AgentCaller } from '../../features/delegation/service.ts';
import type { Files } from '../../features/files/service.ts';
import type { Keyring } from '../../features/keyring/service.ts';
import { makeMcpConnections } from '../../features/mcp/connections.ts';
import { mcpServerRoutes } from '../../features/mcp/handlers.ts';
import { makeAuthorization } from '../../features/mcp/oauth/authorization.ts';
import { makeLogin } from '../../features/mcp/oauth/login.ts';
import { makeTokens } from '../../features/mcp/oauth/tokens.ts';
import { mcpProgramRoutes } from '../../features/mcp/program-handlers.ts';
import { makeMcpPrograms } from '../../features/mcp/programs.ts';
import { readOperatorPrograms } from '../../features/mcp/read-operator-programs.ts';
import { makeMcpServers } from '../../features/mcp/service.ts';
import { makeDefinitions } from '../../features/mcp/tools/tool-definitions.ts';
import { makeToolStates } from '../../features/mcp/tools/tool-states.ts';
import { makeMcpTools } from '../../features/mcp/tools/tools.ts';
import { makeTryServer } from '../../features/mcp/try-server.ts';
import { exposeAgentsAsTools } from '../../features/mcp-server/expose-agents.ts';
import { makeOpenCalls } from '../../features/mcp-server/open-calls.ts';
import type { ExposedTools } from '../../features/mcp-server/ports.ts';
import { makeMcpEndpoint } from '../../features/mcp-server/service.ts';
import { makeMcpSessions } from '../../features/mcp-server/sessions.ts';
import type { TypedAddresses } from '../../features/typed-addresses/service.ts';
import type { Workspaces } from '../../features/workspaces/service.ts';

/** MCP servers as tools of agents. */
export function composeMcpClients(options: {
  db: Database;
  keyring: Keyring;
  web: Web;
  files: Files;
  mcp_config: string | undefined;
  public_url: string;
  workspaces: Pick<Workspaces, 'get'>;
  typedAddresses: TypedAddresses;
}) {
  const { db, keyring, web, files, public_url, workspaces, typedAddresses } = options;
  const programs = makeMcpPrograms({ db, workspaces, programs: readOperatorPrograms(options.mcp_config) });
  const tokens = makeTokens({ db, keyring, web });
  const servers = makeMcpServers({ db, keyring, tokens, typedAddresses });
  const authorization = makeAuthorization({ db, keyring, web, tokens, public_url });
  const login = makeLogin({ db, keyring, public_url });
  const definitions = makeDefinitions({ db });
  const mcp = makeLazyMcp(web);
  const connections = makeMcpConnections({ mcp });
  const tryServer = makeTryServer({ db, mcp, tokens });
  return {
    toolsFor: makeMcpTools({
      ...{ connections, servers, definitions, tokens, files, programs },
    }),
    servers,
    usablePrograms: programs.usable,
    routes: [
      ...mcpServerRoutes(servers, makeToolStates({ db }), { authorization, login, tryServer }),
      ...mcpProgramRoutes(programs),
    ],
    close: () => connections.close(),
  };
}

/** This server as an MCP server, with the tools that the features expose. */
export function composeMcpServer(options: {
  db: Database;
  notifier: Notifier;
  agents: Agents;
  ask: AgentCaller;
  files: Files;
  requests: Pick<RunRequests, 'list'>;
  more: readonly ExposedTools[];
}) {
  const { db, notifier, agents, ask, files, requests, more } = options;
  return makeMcpEndpoint({
    offers: [exposeAgentsAsTools({ agents, ask, files, requests }), ...more],
    calls: makeOpenCalls({ db, notifier }),
    sessions: makeMcpSessions({ db }),
  });
}
