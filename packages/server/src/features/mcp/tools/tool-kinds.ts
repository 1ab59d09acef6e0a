import { misfit } from '@atrium/contract/schema/check-json.ts';
import { fromJsonSchema } from '@atrium/contract/schema/from-json.ts';
import { z } from 'zod';
import { McpServerError, type McpTarget, type McpTool } from '../../../drivers/mcp/driver.ts';
import type { Files } from '../../files/service.ts';
import type { Tool } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';
import type { McpConnections } from '../connections.ts';
import { filesIn, mcpOutput, readContent } from './read-content.ts';

/** A server as one run uses it. */
export interface Server {
  name: string;
  id: string;
  /** Runs with the same address, workspace and secrets share a connection. */
  key: string;
  target: McpTarget;
}

const openInput = z.looseObject({});

const words: Partial<Record<McpServerError['code'], string>> = { unauthorized: 'lets nobody in', refused: 'refused' };

/** From the settings, not from the revealed address, which may hold secrets. */
const recipientOf = (url: string) => (url.startsWith('operator:') ? url : URL.parse(url)?.host || undefined);

/** The error as a model may read it. */
const told = (server: string, error: unknown): unknown =>
  error instanceof McpServerError
    ? new ToolError(`The MCP server "${server}" ${words[error.code] ?? 'did not answer properly'}: ${error.message}`)
    : error;

/** Makes the tools of a server, and the placeholders for tools that can't be used. */
export function makeToolKinds({ connections, files }: { connections: McpConnections; files: Pick<Files, 'save'> }) {
  /** Replaces the tools of an unreachable server, so that the agent can say why they are missing. */
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

  /** Replaces a tool whose definition changed, so that agents which used it can say why it is missing. */
  const changed = (tool: string, { name, id }: Server): Tool =>
    defineTool({
      tool,
      description: `A tool of the MCP server "${name}" that is not what was accepted. It can't be called until a person has accepted the change.`,
      input: openInput,
      output: z.string(),
      repeatable: true,
      run: async () => {
        throw new ToolError(
          `This tool of the MCP server "${name}" is not what was accepted here. Whoever looks after it can accept the change: POST /v1/mcp-servers/${id}/accept`,
        );
      },
    });

  const offered = (tool: string, server: Server, entry: Readonly<Record<string, unknown>>, own: McpTool): Tool =>
    defineTool({
      tool,
      description: own.description || `${own.name} of the MCP server "${server.name}"`,
      input: fromJsonSchema(own.input_schema),
      output: mcpOutput,
      files: filesIn,
      repeatable: false,
      // The operator has chosen the code of a program, so what it says of its tools is not foreign.
      ...(server.target.kind === 'http' && entry['trusted'] !== true && { foreign: true as const }),
      brings: entry['trusted'] === true ? [] : ['untrusted'],
      sends: true,
      recipient: () => recipientOf(String(entry['url'])),
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

  return { offered, changed, unavailable };
}
