import { Readable } from 'node:stream';
import { forbidden } from '@atrium/contract/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../lib/log.ts';
import { namesOf, type Principal, type Scope } from '../../lib/scope.ts';
import { authorize, type PrincipalResolver } from '../auth.ts';
import { readBodyOf } from '../body/read-bodies.ts';
import type { RequestLimits } from '../request-limits.ts';
import { makeOpenStreams } from '../streams/open-streams.ts';
import type { StreamLimits } from '../streams/stream-limits.ts';

export interface McpOptions {
  resolver: PrincipalResolver;
  log: Log;
  request_limits: RequestLimits;
  stream_limits: StreamLimits;
  /** Origins of web pages that may call, besides those of this machine. */
  origins: readonly string[];
  /** `signal` is aborted when the client has disconnected; work that it began continues. */
  handle(scope: Scope, request: Request, body: unknown, left: AbortSignal): Promise<Response>;
  /** Goes on with a stream after an event; undefined when there was no such event. */
  resume(scope: Scope, request: Request, event_id: string, left: AbortSignal): Promise<Response | undefined>;
  /** Ends a session; an empty id is none. */
  end(scope: Scope, session: string): Promise<Response>;
}

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Pages of other sites are refused, also those that have made a name of theirs lead to this machine. */
function checkOrigin({ headers }: FastifyRequest, origins: readonly string[]): void {
  const { origin } = headers;
  if (origin === undefined || loopback.test(origin) || origins.includes(origin.toLowerCase())) return;
  throw forbidden('Pages of this origin may not call /mcp', 'origin_not_allowed');
}

const noEvent = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'There was no such event' } };
const parseError = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'The body is no valid JSON' } };

/** The endpoint of MCP clients: one path, JSON-RPC inside. Requests are authorised as on every other path. */
export function addMcpEndpoint(
  app: FastifyInstance,
  { resolver, log, request_limits, stream_limits, origins, handle, resume, end }: McpOptions,
): void {
  const streams = makeOpenStreams(resolver.onChange);
  app.addHook('onClose', async () => streams.close());
  const allowed = origins.map((origin) => origin.toLowerCase());
  const who = async (request: FastifyRequest, limits?: RequestLimits, reply?: FastifyReply) =>
    authorize({ permission: 'any' }, request, resolver, limits, (headers) => reply?.headers(headers));

  const scopeOf = (request: FastifyRequest): Scope => ({
    ...(request.principal as Principal),
    request_id: request.id,
    log,
    // A client that loses its connection has not called anything off; it does that in words.
    signal: new AbortController().signal,
  });

  /** What the protocol's library sees of a request. All it answers are messages that are posted. */
  function asked(request: FastifyRequest): Request {
    const headers = new Headers();
    for (const name of ['accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    return new Request('http://atrium/mcp', { method: 'POST', headers });
  }

  function leaving(reply: FastifyReply): AbortSignal {
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    return left.signal;
  }

  /** Answers are streams while a tool works, so that each request counts as one until its answer is out. */
  async function send(request: FastifyRequest, reply: FastifyReply, respond: () => Promise<Response | undefined>) {
    const closeStream = stream_limits.open(request.principal as Principal);
    reply.raw.once('close', closeStream);
    const given = await respond();
    if (!given) return reply.code(400).send(noEvent);
    reply.code(given.status).headers(Object.fromEntries(given.headers));
    if (!given.body) return reply.send();
    const body = Readable.fromWeb(given.body);
    const { actor } = request.principal as Principal;
    streams.watch(body, { credential_ids: namesOf(actor), authorize: () => who(request) });
    return reply.send(body);
  }

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const sent = readBodyOf(request);
    if (sent === undefined || sent.validationErrors.length) return reply.code(400).send(parseError);
    return send(request, reply, () => handle(scopeOf(request), asked(request), sent.value, leaving(reply)));
  }

  /** A stream is only gone on with; there is none on which anything else would come. */
  async function goOn(request: FastifyRequest, reply: FastifyReply) {
    const event_id = request.headers['last-event-id'];
    if (typeof event_id !== 'string')
      return reply
        .code(405)
        .header('allow', 'POST, DELETE')
        .send({ detail: 'This path takes POST, and GET with Last-Event-ID', code: 'method_not_allowed' });
    const again = asked(request);
    // A client that resumes a stream must accept an event stream.
    again.headers.set('accept', 'application/json, text/event-stream');
    again.headers.set('content-type', 'application/json');
    return send(request, reply, () => resume(scopeOf(request), again, event_id, leaving(reply)));
  }

  const enter = async (request: FastifyRequest, reply: FastifyReply) => {
    checkOrigin(request, allowed);
    request.principal = await who(request, request_limits, reply).catch((error) => {
      reply.header('www-authenticate', 'Bearer realm="atrium"');
      throw error;
    });
  };
  app.route({ method: 'POST', url: '/mcp', config: { takesBody: true }, onRequest: enter, handler: answer });
  app.route({ method: 'GET', url: '/mcp', onRequest: enter, handler: goOn });
  app.route({
    ...{ method: 'DELETE', url: '/mcp', onRequest: enter },
    async handler(request, reply) {
      const session = asked(request).headers.get('mcp-session-id') ?? '';
      return send(request, reply, () => end(scopeOf(request), session));
    },
  });
}
