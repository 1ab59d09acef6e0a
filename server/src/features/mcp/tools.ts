import { hash } from 'node:crypto';
import { z } from 'zod';
import { type McpTarget, type McpTool, McpTrouble } from '../../drivers/mcp/driver.ts';
import { misfit } from '../../lib/schema/check-json.ts';
import { fromJsonSchema } from '../../lib/schema/from-json.ts';
import type { Scope } from '../../lib/scope.ts';
import { defineTool, type Tool } from '../../lib/tool.ts';
import { makeToolNames } from '../../lib/tool-names.ts';
import type { Files } from '../files/service.ts';
import type { ToolSource } from '../runs/offered-tools.ts';
import type { Settings } from '../settings/settings.ts';
import { ToolError } from '../tools/run-tool.ts';
import type { McpConnections } from './connections.ts';
import { filesIn, mcpOutput, readContent } from './content.ts';
import type { Definitions } from './definitions.ts';
import type { McpServers } from './service.ts';
import type { Tokens } from './tokens.ts';

/** The programs that the operator lets agents use, by name. */
export type McpPrograms = ReadonlyMap<string, Extract<McpTarget, { kind: 'program' }>>;

interface Needs {
  connections: McpConnections;
  servers: Pick<McpServers, 'at'>;
  definitions: Definitions;
  tokens: Pick<Tokens, 'tokenOf'>;
  files: Pick<Files, 'save'>;
  programs: McpPrograms;
}

type Entry = Settings['mcp_servers'][number] & { enabled?: unknown };

/** Of one server; models are told all of them in every call. */
const mostOffered = 128;

const openInput = z.looseObject({});

/** What is known of a server in one run. */
interface Server {
  name: string;
  id: string;
  /** Connections are shared by whoever reaches the same address in the same workspace with the same secrets. */
  key: string;
  target: McpTarget;
}

/** Tools of other servers. What they say of themselves and what they answer is anybody's words. */
export function makeMcpTools({ connections, servers, definitions, tokens, files, programs }: Needs): ToolSource {
  const brings = ['untrusted'] as const;

  async function reached(scope: Scope, entry: Entry, reveal: <T>(value: T) => Promise<T>): Promise<Server> {
    const { name, url } = entry;
    const { workspace_id } = scope;
    const { id, has_login } = await servers.at(workspace_id, url);
    if (url.startsWith('operator:')) {
      const target = programs.get(url.slice('operator:'.length));
      if (!target) throw new McpTrouble('unreachable', 'the operator of this installation has set up no such server');
      return { name, id, key: `${workspace_id} ${url}`, target };
    }
    const fixed = await reveal({ url, headers: entry.headers ?? {} });
    const target: McpTarget = {
      ...{ kind: 'http', ...fixed },
      ...(has_login && { token: (renew: boolean) => tokens.tokenOf(workspace_id, id, renew) }),
    };
    const key = hash('sha256', JSON.stringify([workspace_id, id, fixed, has_login]));
    return { name, id, key, target };
  }

  /** Stands where the tools of a server would be, so that the agent can say why they are not. */
  const unavailable = (tool: string, name: string, why: string): Tool =>
    defineTool({
      tool,
      description: `The tools of the MCP server "${name}" can't be used now: ${why}.`,
      input: openInput,
      output: z.string(),
      repeatable: true,
      run: async () => {
        throw new ToolError(`The MCP server "${name}" can't be used now: ${why}`);
      },
    });

  const changed = (tool: string, { name, id }: Server, own: string): Tool =>
    defineTool({
      tool,
      description: `A tool of the MCP server "${name}" that has changed since it was first used. It can't be called until a person has accepted the change.`,
      input: openInput,
      output: z.string(),
      repeatable: true,
      run: async () => {
        throw new ToolError(
          `The tool "${own}" of the MCP server "${name}" is not what it was when it was first seen here. Whoever looks after it can accept the change: POST /v1/mcp-servers/${id}/accept`,
        );
      },
    });

  const offered = (tool: string, server: Server, entry: Entry, own: McpTool): Tool =>
    defineTool({
      tool,
      description: own.description || `${own.name} of the MCP server "${server.name}"`,
      input: fromJsonSchema(own.input_schema),
      output: mcpOutput,
      files: filesIn,
      repeatable: false,
      // Of a program the operator has chosen the code itself.
      ...(server.target.kind === 'http' && { foreign: true as const }),
      brings,
      sends: true,
      entries: [entry],
      async run(scope, input, signal) {
        try {
          const result = await connections.call(server.key, server.target, own.name, input, signal);
          if (result.is_error) {
            const said = await readContent(scope, files, { content: result.content, structured: null });
            throw new ToolError(typeof said === 'string' && said ? said.slice(0, 10_000) : 'The tool failed');
          }
          if (own.output_schema) {
            const why = result.structured ? misfit(own.output_schema, result.structured) : 'there is no data in it';
            if (why) throw new ToolError(`The server's answer is not what it said it would be: ${why}`);
          }
          return await readContent(scope, files, result);
        } catch (error) {
          throw told(server.name, error);
        }
      },
    });

  async function toolsOf(
    scope: Scope,
    entry: Entry,
    { reveal, scrub }: Parameters<ToolSource>[2]['secrets'],
    nameOf: (kind: string, ...parts: string[]) => string,
  ): Promise<Tool[]> {
    const { name, allowed_tools } = entry;
    try {
      const server = await reached(scope, entry, reveal);
      // A server may say back what it was sent.
      const all = scrub([...(await connections.tools(server.key, server.target, scope.signal))]);
      const allowed = allowed_tools === undefined ? all : all.filter((tool) => allowed_tools.includes(tool.name));
      const not = await definitions.changed(scope.workspace_id, server.id, allowed);
      return allowed.slice(0, mostOffered).map((own) => {
        const tool = nameOf('mcp', name, own.name);
        return not.has(own.name) ? changed(tool, server, own.name) : offered(tool, server, entry, own);
      });
    } catch (error) {
      // A secret that can't be had is a ToolError, and no reason to end the run either.
      if (!(error instanceof McpTrouble || error instanceof ToolError)) throw error;
      const code = error instanceof McpTrouble ? error.code : 'unauthorized';
      scope.log.warn('An MCP server can not be used', { request_id: scope.request_id, code });
      return [unavailable(nameOf('mcp', name, 'unavailable'), name, scrub(error.message))];
    }
  }

  return async (scope, settings, { secrets }) => {
    const entries = (settings.mcp_servers as Entry[]).filter(({ enabled }) => enabled !== false);
    if (entries.length === 0) return [];
    const nameOf = makeToolNames();
    return (await Promise.all(entries.map((entry) => toolsOf(scope, entry, secrets, nameOf)))).flat();
  };
}

const words: Partial<Record<McpTrouble['code'], string>> = { unauthorized: 'lets nobody in', refused: 'refused' };

/** What a model may read of what went wrong. */
const told = (server: string, error: unknown): unknown =>
  error instanceof McpTrouble
    ? new ToolError(`The MCP server "${server}" ${words[error.code] ?? 'did not answer properly'}: ${error.message}`)
    : error;
