import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@atrium/contract/errors.ts';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  SetLevelRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { newId } from '../../lib/ids.ts';
import { errorFields } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { EndpointDeps, McpEndpoint } from './mcp-endpoint.ts';
import type { ExposedTool, ExposedToolResult, Waiting } from './ports.ts';
import { readClientMessage } from './read-client-message.ts';
import { type Place, placeOf, type StreamedCall, streamEnd } from './stream-position.ts';
import { makeWaitingClient, type WaitingClient } from './waiting-client.ts';

const pageSize = 200;
/** The milliseconds after which a client that lost its stream should reconnect. */
const comeBackAfter = 1000;
/** A client may reconnect before the run of its call is stored. */
const mostLooks = 20;

/** Replaces the library's schema validator, which would compile schemas for each request. */
const noCompiling = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not checked here' }),
};

const shown = ({ name, title, description, input_schema, output_schema }: ExposedTool) => ({
  ...{ name, title, description },
  inputSchema: { ...input_schema, type: 'object' as const },
  outputSchema: { ...output_schema, type: 'object' as const },
});

const resultOf = ({ text, structured, is_error, parts = [] }: ExposedToolResult) => {
  const content = [...(text || parts.length === 0 ? [{ type: 'text' as const, text }] : []), ...parts];
  return is_error ? { content, isError: true } : { content, structuredContent: structured };
};

const noSession = () => {
  const error = { code: -32_001, message: 'There is no such session; send initialize to begin one' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
};

/** A request, or a stream that is resumed. */
interface Asked {
  scope: Scope;
  session: string;
  /** Aborts when the client disconnects. */
  left: AbortSignal;
  call: StreamedCall | undefined;
  /** The last position that the client saw. */
  resumed: Place | undefined;
}

/**
 * The MCP server. It keeps nothing of a client between requests but its session with its log level, in the database, so any
 * node can answer any request. A client may do without a session; one that is not open is answered 404, and the client
 * begins another.
 */
export function makeSdkEndpoint(deps: EndpointDeps): McpEndpoint {
  const { offers, calls, sessions } = deps;

  async function called(scope: Scope, name: string, input: Record<string, unknown>, run_id: string, waiting: Waiting) {
    for (const one of offers) {
      const result = await one.call(scope, name, input, { ...waiting, run_id });
      if (result) return result;
    }
    throw new McpError(ErrorCode.InvalidParams, `There is no tool named ${name}`);
  }

  async function followed(scope: Scope, run_id: string, waiting: Waiting) {
    for (let look = 0; look < mostLooks && !waiting.left.aborted; look++) {
      for (const one of offers) {
        const result = await one.follow?.(scope, run_id, waiting);
        if (result) return result;
      }
      await sleep(100);
    }
    throw new McpError(ErrorCode.InvalidParams, 'This call is not known here');
  }

  function serverFor({ scope, session, left, call, resumed }: Asked, client: WaitingClient) {
    const server = new Server(
      { name: 'atrium', title: 'Atrium', version: '1' },
      { capabilities: { tools: {}, logging: {} }, jsonSchemaValidator: noCompiling },
    );
    server.setRequestHandler(SetLevelRequestSchema, async ({ params }) => {
      await sessions.setLevel(scope, session, params.level);
      return {};
    });
    server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
      const all = (await Promise.all(offers.map((one) => one.list(scope)))).flat().map(shown);
      const from = Number(params?.cursor ?? 0);
      if (!Number.isSafeInteger(from) || from < 0) throw new McpError(ErrorCode.InvalidParams, 'No such cursor');
      const next = from + pageSize;
      return { tools: all.slice(from, next), ...(next < all.length && { nextCursor: String(next) }) };
    });

    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const open = calls.begin(scope.actor.id, session, extra.requestId);
      const { signal } = open;
      try {
        const hears = await sessions.hears(scope, session);
        const waiting = { signal, left, tell: client.makeReporter(extra.sendNotification, params.name, hears) };
        const result = resumed
          ? await followed(scope, resumed.run_id, waiting)
          : await called(scope, params.name, params.arguments ?? {}, call?.run_id ?? newId(), waiting);
        await client.flush();
        return resultOf(result);
      } catch (error) {
        if (signal.aborted) throw new McpError(ErrorCode.InvalidRequest, 'The call was called off');
        if (error instanceof McpError) throw error;
        const stopping = error instanceof AppError && error.kind === 'unavailable';
        // The run goes on elsewhere; the client can reconnect to it.
        if (stopping) extra.closeSSEStream?.();
        else if (!left.aborted)
          scope.log.error('A call by MCP failed', { request_id: scope.request_id, ...errorFields(error) });
        throw new McpError(
          ErrorCode.InternalError,
          stopping ? 'The server is being stopped; ask again in a moment' : 'Something went wrong on our side',
        );
      } finally {
        open.end();
      }
    });
    return server;
  }

  const isLost = async (scope: Scope, session: string) => session !== '' && !(await sessions.isOpen(scope, session));

  async function answer(asked: Asked, request: Request, body: unknown, streams: boolean): Promise<Response> {
    const { call, resumed } = asked;
    const from = resumed?.at ?? 0;
    const client = makeWaitingClient(call ?? { run_id: newId(), request_id: 0, progress_token: undefined }, { from });
    const transport = new WebStandardStreamableHTTPServerTransport({
      // A call may take long and reports progress by a stream; other requests are answered at once.
      enableJsonResponse: !streams,
      retryInterval: comeBackAfter,
      ...(call && { eventStore: client.events }),
    });
    await serverFor(asked, client).connect(transport as unknown as Transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  return {
    async handle(scope: Scope, request: Request, body: unknown, left: AbortSignal): Promise<Response> {
      const session = request.headers.get('mcp-session-id') ?? '';
      const { method, cancels, call } = readClientMessage(body);
      if (method !== 'initialize' && (await isLost(scope, session))) return noSession();
      if (method === 'notifications/cancelled') {
        if (cancels !== undefined) await calls.cancel(scope.actor.id, session, cancels);
        return new Response(null, { status: 202 });
      }
      const asked = { scope, session, left, call: call && { ...call, run_id: newId() }, resumed: undefined };
      const given = await answer(asked, request, body, method === 'tools/call');
      if (method === 'initialize' && given.ok) given.headers.set('mcp-session-id', await sessions.begin(scope));
      return given;
    },

    /**
     * Resumes the stream of a call after the last event that the client saw. The run's log has all events, so the run
     * is followed as for a new call, and events that the client knows are skipped.
     */
    async resume(scope: Scope, request: Request, event_id: string, left: AbortSignal): Promise<Response | undefined> {
      const session = request.headers.get('mcp-session-id') ?? '';
      if (await isLost(scope, session)) return noSession();
      const resumed = placeOf(event_id);
      if (!resumed) return undefined;
      if (resumed.at === streamEnd) return new Response('', { headers: { 'content-type': 'text/event-stream' } });
      const { run_id, request_id: id, progress_token: progressToken } = resumed;
      const params = { name: 'resumed', ...(progressToken !== undefined && { _meta: { progressToken } }) };
      const body = { jsonrpc: '2.0', id, method: 'tools/call', params };
      const call = { run_id, request_id: id, progress_token: progressToken };
      return answer({ scope, session, left, call, resumed }, request, body, true);
    },

    async end(scope: Scope, session: string): Promise<Response> {
      if (session !== '' && !(await sessions.end(scope, session))) return noSession();
      return new Response(null, { status: 204 });
    },
  };
}
