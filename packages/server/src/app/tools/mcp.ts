import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { makeMcp } from '../../drivers/mcp/sdk-client.ts';
import type { Web } from '../../drivers/web/driver.ts';
import type { Agents } from '../../features/agents/service.ts';
import type { AgentCaller } from '../../features/delegation/service.ts';
import type { Files } from '../../features/files/service.ts';
import type { Keyring } from '../../features/keyring/service.ts';
import { makeMcpConnections } from '../../features/mcp/connections.ts';
import { mcpServerRoutes } from '../../features/mcp/handlers.ts';
import { makeAuthorization } from '../../features/mcp/oauth/authorization.ts';
import { makeLogin } from '../../features/mcp/oauth/login.ts';
import { makeTokens } from '../../features/mcp/oauth/tokens.ts';
import { mcpProgramRoutes } from '../../features/mcp/program-handlers.ts';
import { makeMcpPrograms, type OperatorPrograms } from '../../features/mcp/programs.ts';
import { makeMcpServers } from '../../features/mcp/service.ts';
import { makeDefinitions } from '../../features/mcp/tools/tool-definitions.ts';
import { makeToolStates } from '../../features/mcp/tools/tool-states.ts';
import { makeMcpTools } from '../../features/mcp/tools/tools.ts';
import { exposeAgentsAsTools } from '../../features/mcp-server/expose-agents.ts';
import { makeOpenCalls } from '../../features/mcp-server/open-calls.ts';
import type { ExposedTools } from '../../features/mcp-server/ports.ts';
import { makeMcpEndpoint } from '../../features/mcp-server/service.ts';
import { makeMcpSessions } from '../../features/mcp-server/sessions.ts';
import type { Workspaces } from '../../features/workspaces/service.ts';

const programs = z.strictObject({
  mcpServers: z.record(
    z.string().regex(/^[\w.-]{1,100}$/),
    z.strictObject({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).default({}),
      /** Ids of the workspaces that have it, or `*` for all; administrators give it to others. */
      workspaces: z
        .array(z.union([z.literal('*'), z.guid('not the id of a workspace; give ids or "*" for all')]))
        .default([]),
    }),
  ),
});

/** Programs start from the operator's file only; no request can change it. */
function readPrograms(file: string | undefined): OperatorPrograms {
  if (file === undefined) return new Map();
  const read = programs.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!read.success) throw new Error(`ATRIUM_MCP_CONFIG: ${z.prettifyError(read.error)}`);
  const entries = Object.entries(read.data.mcpServers);
  return new Map(
    entries.map(([name, { workspaces, ...program }]) => [
      name,
      { workspaces, target: { kind: 'program' as const, ...program } },
    ]),
  );
}

/** MCP servers as tools of agents. */
export function composeMcpClients(options: {
  db: Database;
  keyring: Keyring;
  web: Web;
  files: Files;
  mcp_config: string | undefined;
  public_url: string;
  workspaces: Pick<Workspaces, 'get'>;
}) {
  const { db, keyring, web, files, public_url, workspaces } = options;
  const programs = makeMcpPrograms({ db, workspaces, programs: readPrograms(options.mcp_config) });
  const tokens = makeTokens({ db, keyring, web });
  const servers = makeMcpServers({ db, keyring, tokens });
  const authorization = makeAuthorization({ db, keyring, web, tokens, public_url });
  const login = makeLogin({ db, keyring, public_url });
  const definitions = makeDefinitions({ db });
  const connections = makeMcpConnections({ mcp: makeMcp(web) });
  return {
    toolsFor: makeMcpTools({
      ...{ connections, servers, definitions, tokens, files, programs },
    }),
    usablePrograms: programs.usable,
    routes: [
      ...mcpServerRoutes(servers, makeToolStates({ db }), { authorization, login }),
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
  more: readonly ExposedTools[];
}) {
  const { db, notifier, agents, ask, files, more } = options;
  return makeMcpEndpoint({
    offers: [exposeAgentsAsTools({ agents, ask, files }), ...more],
    calls: makeOpenCalls({ db, notifier }),
    sessions: makeMcpSessions({ db }),
  });
}
