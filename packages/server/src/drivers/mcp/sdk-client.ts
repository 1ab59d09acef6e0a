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
/** The library requires a limit; the caller's own limit is shorter. */
const longestCall = 30 * 60_000;

/** Tools are parsed one by one, so that an invalid one does not fail the list. */
const listPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const callResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});

/**
 * Replaces the library's schema validator, which would compile schemas of servers into code; we validate results
 * ourselves.
 */
const noCompiling = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not checked here' }),
};

/** The library's types do not allow an absent property where they allow undefined. */
const asTransport = (transport: unknown) => transport as Transport;

/** MCP client on the protocol's own SDK. */
export function makeMcp(web: Web): Mcp {
  async function open(transport: Transport, signal: AbortSignal, onChange: () => void): Promise<McpConnection> {
    // Offers no features to servers: no sampling, no questions to users, no folders.
    const client = new Client({ name: 'atrium', version: '1' }, { jsonSchemaValidator: noCompiling });
    const over = Promise.withResolvers<void>();
    client.onclose = () => over.resolve();
    client.onerror = () => {};
    client.setNotificationHandler(ToolListChangedNotificationSchema, onChange);
    const close = async () => {
      over.resolve();
      // The server may be gone already.
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
            // Asks the server for progress notifications, which keep some proxies from closing the connection.
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
      // An older server refuses the first message with a 4xx status. A server that refuses our credentials would refuse
      // them again.
      if (status < 400 || status > 499 || status === 401 || status === 403) throw error;
    }
    const older = new SSEClientTransport(url, { fetch });
    const connection = await open(asTransport(older), signal, onChange);
    // The library would reconnect every few seconds for ever; the next caller connects again instead.
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
