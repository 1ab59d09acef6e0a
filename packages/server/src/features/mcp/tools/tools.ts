import { hash } from 'node:crypto';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { McpServerError, type McpTarget } from '../../../drivers/mcp/driver.ts';
import { explainRefusal } from '../../../drivers/web/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Files } from '../../files/service.ts';
import type { Tool, ToolProvider, ToolSecrets } from '../../tools/ports.ts';
import { makeToolNames, ToolError } from '../../tools/service.ts';
import type { McpConnections } from '../connections.ts';
import type { Tokens } from '../oauth/tokens.ts';
import type { McpPrograms } from '../programs.ts';
import type { McpServers } from '../service.ts';
import type { Definitions } from './tool-definitions.ts';
import { makeToolKinds, type Server } from './tool-kinds.ts';

interface Needs {
  connections: McpConnections;
  servers: Pick<McpServers, 'at'>;
  definitions: Definitions;
  tokens: Pick<Tokens, 'tokenOf'>;
  files: Pick<Files, 'save'>;
  programs: Pick<McpPrograms, 'targetOf'>;
}

type Entry = Settings['mcp_servers'][number] & { enabled?: unknown };

/** The most tools of one server; models read all of them in every call. */
const mostOffered = 128;

/** The server's name of a tool, and a function that makes the tool once its name here is known. */
type Offer = [own: string, make: (tool: string) => Tool];

/** The tools of MCP servers. Their descriptions and answers are untrusted. */
export function makeMcpTools({ connections, servers, definitions, tokens, files, programs }: Needs): ToolProvider {
  const { offered, changed, unavailable } = makeToolKinds({ connections, files });

  async function reached(
    scope: Scope,
    entry: Entry,
    reveal: ToolSecrets['reveal'],
    hosts: readonly string[],
  ): Promise<Server> {
    const { name, url } = entry;
    const { workspace_id } = scope;
    if (url.startsWith('operator:')) {
      // Nothing limits where a program of the operator connects to.
      if (hosts.length > 0) throw new ToolError(`this agent may not reach ${url}: it has a list of allowed_hosts`);
      const target = await programs.targetOf(workspace_id, url.slice('operator:'.length));
      const { id } = await servers.at(workspace_id, url);
      return { name, id, key: `${workspace_id} ${url}`, target };
    }
    const { id, login } = await servers.at(workspace_id, url);
    const fixed = await reveal({ url, headers: entry.headers ?? {} }, { address: url, setting: 'mcp_servers' });
    const target: McpTarget = {
      ...{ kind: 'http', ...fixed, hosts },
      ...(login !== null && { token: (refused?: string) => tokens.tokenOf(workspace_id, id, refused) }),
    };
    const key = hash('sha256', JSON.stringify([workspace_id, id, fixed, login, ...(hosts.length ? [hosts] : [])]));
    return { name, id, key, target };
  }

  /** The tools of one entry of the settings, in the server's order. They get their names later, when all are known. */
  async function offersOf(
    scope: Scope,
    entry: Entry,
    { reveal, scrub }: Parameters<ToolProvider>[2]['secrets'],
    hosts: readonly string[],
  ): Promise<Offer[]> {
    const { name, allowed_tools, tool_changes } = entry;
    try {
      const server = await reached(scope, entry, reveal, hosts);
      // A server may repeat the secrets that it was sent.
      const all = scrub([...(await connections.tools(server.key, server.target, scope.signal))]);
      const held = await definitions.held(scope.workspace_id, server.id, all);
      const allowed = allowed_tools === undefined ? all : all.filter((tool) => allowed_tools.includes(tool.name));
      return allowed.slice(0, mostOffered).flatMap((own): Offer[] => {
        const state = tool_changes === 'accept' ? undefined : held.get(own.name);
        // No conversation has used a new tool yet, so none misses it.
        if (state === 'new') return [];
        if (state === 'changed') return [[own.name, (tool) => changed(tool, server)]];
        return [[own.name, (tool) => offered(tool, server, entry, own)]];
      });
    } catch (error) {
      // A secret that can't be read is a ToolError, which does not end the run either.
      if (!(error instanceof McpServerError || error instanceof ToolError)) throw error;
      const code = error instanceof McpServerError ? error.code : 'unauthorized';
      const why = explainRefusal(error, { ...scope, permission: 'agents_edit' });
      scope.log.warn('An MCP server can not be used', { request_id: scope.request_id, code });
      return [['unavailable', (tool) => unavailable(tool, name, scrub(why))]];
    }
  }

  return async (scope, settings, { secrets }) => {
    const entries = settings.mcp_servers.filter(({ enabled }) => enabled !== false);
    if (entries.length === 0) return [];
    const offers = await Promise.all(entries.map((entry) => offersOf(scope, entry, secrets, settings.allowed_hosts)));
    // Names are given in the order of the settings, so that a quick server can't take the name of another.
    const nameOf = makeToolNames();
    return entries.flatMap(({ name }, at) => (offers[at] ?? []).map(([own, make]) => make(nameOf('mcp', name, own))));
  };
}
