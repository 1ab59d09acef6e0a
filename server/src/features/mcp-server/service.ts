import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type ProgressToken,
} from '@modelcontextprotocol/sdk/types.js';
import { errorFields } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { OpenCalls } from './calls.ts';
import type { McpOffers, OfferedTool } from './offers.ts';

const pageSize = 200;

/** What a client sends, as far as it is looked at before the library does. */
interface Sent {
  method?: unknown;
  params?: { requestId?: unknown } | undefined;
}

/** The library checks nothing by schemas here; it would otherwise make a compiler for each request. */
const noCompiling = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not checked here' }),
};

const shown = ({ name, title, description, input_schema, output_schema }: OfferedTool) => ({
  ...{ name, title, description },
  inputSchema: { ...input_schema, type: 'object' as const },
  outputSchema: { ...output_schema, type: 'object' as const },
});

/**
 * The protocol's server. Nothing of a client is kept between its requests, so any node answers any of them; the id of a
 * session only tells its calls from those of others.
 */
export function makeMcpDoor({ offers, calls }: { offers: readonly McpOffers[]; calls: OpenCalls }) {
  function serverFor(scope: Scope, session: string): Server {
    const server = new Server(
      { name: 'atrium', title: 'Atrium', version: '1' },
      { capabilities: { tools: {} }, jsonSchemaValidator: noCompiling },
    );
    server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
      const all = (await Promise.all(offers.map((one) => one.list(scope)))).flat().map(shown);
      const from = Number(params?.cursor ?? 0);
      if (!Number.isSafeInteger(from) || from < 0) throw new McpError(ErrorCode.InvalidParams, 'No such cursor');
      const next = from + pageSize;
      return { tools: all.slice(from, next), ...(next < all.length && { nextCursor: String(next) }) };
    });

    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const call = calls.begin(scope.actor.id, session, extra.requestId);
      const token: ProgressToken | undefined = params._meta?.progressToken;
      let step = 0;
      const progress = (message: string) => {
        if (token === undefined) return;
        const notice = { progressToken: token, progress: ++step, message };
        // A client that has gone hears nothing more, which is no reason to stop.
        extra.sendNotification({ method: 'notifications/progress', params: notice }).catch(() => {});
      };
      try {
        for (const one of offers) {
          const result = await one.call(scope, params.name, params.arguments ?? {}, { signal: call.signal, progress });
          if (!result) continue;
          const { text, structured, is_error } = result;
          const content = [{ type: 'text' as const, text }];
          return is_error ? { content, isError: true } : { content, structuredContent: structured };
        }
      } catch (error) {
        if (call.signal.aborted) throw new McpError(ErrorCode.InvalidRequest, 'The call was called off');
        scope.log.error('A call by MCP failed', { request_id: scope.request_id, ...errorFields(error) });
        throw new McpError(ErrorCode.InternalError, 'Something went wrong on our side');
      } finally {
        call.end();
      }
      throw new McpError(ErrorCode.InvalidParams, `There is no tool named ${params.name}`);
    });
    return server;
  }

  return {
    /** One request of the protocol, its body already read. */
    async handle(scope: Scope, request: Request, body: unknown): Promise<Response> {
      const sent = (typeof body === 'object' ? body : null) as Sent | null;
      const session = request.headers.get('mcp-session-id') ?? '';
      if (sent?.method === 'notifications/cancelled') {
        const id = sent.params?.requestId;
        if (typeof id === 'string' || typeof id === 'number') await calls.cancel(scope.actor.id, session, id);
        return new Response(null, { status: 202 });
      }
      const transport = new WebStandardStreamableHTTPServerTransport({
        // A call may take long and tells of its progress; everything else is answered at once.
        enableJsonResponse: sent?.method !== 'tools/call',
      });
      const server = serverFor(scope, session);
      await server.connect(transport as unknown as Transport);
      const answer = await transport.handleRequest(request, { parsedBody: body });
      if (sent?.method === 'initialize' && answer.ok) answer.headers.set('mcp-session-id', randomUUID());
      return answer;
    },
  };
}
