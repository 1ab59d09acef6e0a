import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Web } from '../web/driver.ts';
import { type Mcp, type McpConnection, McpServerError, type McpTarget } from './driver.ts';
import { explained, statusOf } from './explain-error.ts';
import { mostBytes } from './guarded-body.ts';
import { makeMcpFetch } from './guarded-fetch.ts';
import { readTools } from './read-tools.ts';

const mostTools = 500;
const mostPages = 50;
/** The library wants a number of its own; who calls says when it is enough. */
const longestCall = 30 * 60_000;

/** Read by hand, tool by tool: one that is wrong must not take the others with it. */
const listPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const callResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});

/** The library would compile schemas of other servers into code; we check what they say ourselves. */
const noCompiling = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not checked here' }),
};

/** The library's types do not say that a property that is undefined may be absent. */
const asTransport = (transport: unknown) => transport as Transport;

/** MCP by the protocol's own library. */
export function makeMcp(web: Web): Mcp {
  async function open(transport: Transport, signal: AbortSignal, onChange: () => void): Promise<McpConnection> {
    // It offers servers nothing: no sampling, no questions to users, no folders.
    const client = new Client({ name: 'atrium', version: '1' }, { jsonSchemaValidator: noCompiling });
    const over = Promise.withResolvers<void>();
    client.onclose = () => over.resolve();
    client.onerror = () => {};
    client.setNotificationHandler(ToolListChangedNotificationSchema, onChange);
    const close = async () => {
      over.resolve();
      await client.close().catch(() => {});
    };
    try {
      await client.connect(transport, { signal, timeout: longestCall });
    } catch (error) {
      await close();
      throw error;
    }
    const options = (one: AbortSignal) => ({ signal: one, timeout: longestCall });

    return {
      closed: over.promise,
      close,
      async list(one) {
        const listed: unknown[] = [];
        let cursor: string | undefined;
        try {
          for (let page = 0; page < mostPages && listed.length < mostTools; page++) {
            const params = cursor === undefined ? {} : { cursor };
            const answer = await client.request({ method: 'tools/list', params }, listPage, options(one));
            listed.push(...answer.tools);
            cursor = answer.nextCursor;
            if (!cursor) break;
          }
        } catch (error) {
          throw explained(error, one);
        }
        return readTools(listed.slice(0, mostTools));
      },
      async call(name, input, one) {
        try {
          const params = { name, arguments: input };
          const answer = await client.request({ method: 'tools/call', params }, callResult, {
            ...options(one),
            // Asks the server to tell of its progress, which some proxies on the way need to see.
            onprogress: () => {},
          });
          const { content, structuredContent, isError } = answer;
          return { content, structured: structuredContent ?? null, is_error: isError };
        } catch (error) {
          throw explained(error, one);
        }
      },
    };
  }

  async function overHttp(target: Extract<McpTarget, { kind: 'http' }>, signal: AbortSignal, onChange: () => void) {
    const [url, fetch] = [new URL(target.url), makeMcpFetch(web, target)];
    try {
      return await open(asTransport(new StreamableHTTPClientTransport(url, { fetch })), signal, onChange);
    } catch (error) {
      const status = statusOf(error) ?? 0;
      // Servers of the older kind refuse the first message; what refuses our credentials would do so again.
      if (status < 400 || status > 499 || status === 401 || status === 403) throw error;
    }
    const older = new SSEClientTransport(url, { fetch });
    const connection = await open(asTransport(older), signal, onChange);
    // It would try again for ever, every few seconds; whoever needs it connects anew.
    const report = older.onerror;
    older.onerror = (error) => {
      report?.(error);
      void connection.close();
    };
    return connection;
  }

  return {
    async connect(target, signal, onChange) {
      try {
        if (target.kind === 'http') return await overHttp(target, signal, onChange);
        const { command, args, env } = target;
        const started = new StdioClientTransport({
          ...{ command, args: [...args], env: { ...getDefaultEnvironment(), ...env } },
          ...{ stderr: 'ignore', maxBufferSize: mostBytes },
        });
        return await open(asTransport(started), signal, onChange);
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
          throw new McpServerError('unreachable', 'its program is not there', error);
        throw explained(error, signal);
      }
    },
  };
}
