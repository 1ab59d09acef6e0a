import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { forbidden, unauthorized } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Principal, Scope } from '../lib/scope.ts';
import { authorize, type PrincipalResolver } from './auth.ts';
import type { SentBody } from './body.ts';
import { makeOpenStreams } from './open-streams.ts';

export interface McpOptions {
  resolver: PrincipalResolver;
  log: Log;
  /** Origins of web pages that may call, besides those of this machine. */
  origins: readonly string[];
  handle(scope: Scope, request: Request, body: unknown): Promise<Response>;
}

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Pages of other sites are refused, also those that have made a name of theirs lead to this machine. */
function checkOrigin({ headers }: FastifyRequest, origins: readonly string[]): void {
  const { origin } = headers;
  if (origin === undefined || loopback.test(origin) || origins.includes(origin.toLowerCase())) return;
  throw forbidden('Pages of this origin may not call /mcp', 'origin_not_allowed');
}

const parseError = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'The body is no valid JSON' } };

/** The door for MCP clients: one path, JSON-RPC inside. Who is asking is found out as on every other path. */
export function addMcp(app: FastifyInstance, { resolver, log, origins, handle }: McpOptions): void {
  const streams = makeOpenStreams(resolver.onChange);
  app.addHook('onClose', async () => streams.close());
  const allowed = origins.map((origin) => origin.toLowerCase());
  const who = async (request: FastifyRequest) => authorize({ permission: 'any' }, request, resolver);

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const sent = request.body as SentBody | undefined;
    if (sent === undefined || sent.faults.length) return reply.code(400).send(parseError);
    const scope: Scope = {
      ...(request.principal as Principal),
      request_id: request.id,
      log,
      // A client that loses its connection has not called anything off; it does that in words.
      signal: new AbortController().signal,
    };
    const headers = new Headers();
    for (const name of ['accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const asked = new Request('http://atrium/mcp', { method: 'POST', headers });
    const given = await handle(scope, asked, sent.value);
    reply.code(given.status).headers(Object.fromEntries(given.headers));
    if (!given.body) return reply.send();
    const body = Readable.fromWeb(given.body as ReadableStream);
    streams.watch(body, { credential_id: scope.actor.id, authorize: () => who(request) });
    return reply.send(body);
  }

  app.route({
    method: 'POST',
    url: '/mcp',
    config: { takesBody: true },
    onRequest: async (request, reply) => {
      checkOrigin(request, allowed);
      request.principal = await who(request).catch((error) => {
        reply.header('www-authenticate', 'Bearer realm="atrium"');
        throw error;
      });
    },
    handler: answer,
  });
  // Nothing is sent but answers, and nothing is kept that could be ended.
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    onRequest: async (request, reply) => {
      checkOrigin(request, allowed);
      if (!(await who(request).catch(() => undefined))) {
        reply.header('www-authenticate', 'Bearer realm="atrium"');
        throw unauthorized();
      }
    },
    handler: async (request, reply) =>
      request.method === 'DELETE'
        ? reply.code(204).send()
        : reply
            .code(405)
            .header('allow', 'POST, DELETE')
            .send({ detail: 'This path takes POST', code: 'method_not_allowed' }),
  });
}
