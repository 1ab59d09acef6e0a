import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { methodAndPath } from '@atrium/contract/operation.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AuditTrail } from '../features/audit/ports.ts';
import type { IdempotencyStore } from '../features/idempotency/ports.ts';
import type { Saves } from '../features/saves/ports.ts';
import type { Log } from '../lib/log.ts';
import { RawAnswer } from '../lib/responses/raw-answer.ts';
import type { Route } from '../lib/route.ts';
import { namesOf, type Principal, type Scope } from '../lib/scope.ts';
import { answerUnchanged, keepOutOfCaches } from './answer-unchanged.ts';
import { makeAuditing } from './audit-requests.ts';
import { authorize, type PrincipalResolver } from './auth.ts';
import { requireMultipart, type UploadConfig } from './body/multipart.ts';
import { readBodies } from './body/read-bodies.ts';
import { compressAnswers } from './compress-answers.ts';
import { answerMalformed, sendError } from './errors.ts';
import { makeRecheckRights } from './recheck-rights.ts';
import type { RequestLimits } from './request-limits.ts';
import { runIdempotently } from './run-idempotently.ts';
import { fixedSecurityHeaders, makeSecurityHeaders } from './security-headers.ts';
import { makeOpenStreams, type OpenStreams } from './streams/open-streams.ts';
import { mayAnswerStream, type StreamLimits } from './streams/stream-limits.ts';
import { makeSummarizer } from './summarize-answer.ts';
import { answerUnknownPaths } from './unknown-paths.ts';
import { validator } from './validate.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the operation reads a body; otherwise the body is ignored. */
    takesBody?: boolean;
    /** The body is handed on unread. */
    raw?: boolean;
    /** The operation reads files from a form instead of a JSON body. */
    upload?: UploadConfig;
    error_format?: Route['error_format'];
    error_page?: true;
    /** The answer has an ETag. */
    catalogue?: boolean;
  }
  interface FastifyRequest {
    principal: Principal | null;
  }
}

export interface ServerOptions {
  routes: readonly Route[];
  resolver: PrincipalResolver;
  idempotency: IdempotencyStore;
  audit: AuditTrail;
  saves: Saves;
  log: Log;
  max_json_bytes: number;
  max_upload_bytes: number;
  trusted_proxies: readonly string[];
  request_limits: RequestLimits;
  stream_limits: StreamLimits;
  /** Where browsers reach this server. */
  public_url: string;
  /** Sees every route before it is added. */
  measure(app: FastifyInstance): void;
}

/** A caller's own request id is kept when it is harmless to print. */
const requestId = (request: { headers: Record<string, string | string[] | undefined> }) => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
};

/** One aborts when the caller's connection closes before the answer is out; made only for handlers that look at it. */
function lazySignal(request: FastifyRequest, reply: FastifyReply): () => AbortSignal {
  let controller: AbortController | undefined;
  return () => {
    if (!controller) {
      const made = new AbortController();
      controller = made;
      const { raw } = reply;
      if (raw.destroyed || (request.raw.destroyed && !request.raw.complete)) made.abort();
      // Of the response and not of the socket, which many requests may share in turn.
      else raw.once('close', () => raw.writableFinished || made.abort());
    }
    return controller.signal;
  };
}

function scopeOf(request: FastifyRequest, reply: FastifyReply, log: Log): Scope {
  const signal = lazySignal(request, reply);
  return {
    ...(request.principal as Principal),
    request_id: request.id,
    log,
    get address() {
      return request.ip;
    },
    get signal() {
      return signal();
    },
  };
}

/** The HTTP server: every route of the list, with the same authorisation, validation and error answers. */
export function makeServer(options: ServerOptions): FastifyInstance {
  const { log } = options;
  const headersFor = makeSecurityHeaders(options.public_url);
  const app = Fastify({
    logger: false,
    bodyLimit: options.max_json_bytes,
    genReqId: requestId,
    requestIdHeader: false,
    routerOptions: { maxParamLength: 2048 },
    // Hooks do not run for what the framework refuses.
    frameworkErrors: (error, request, reply) =>
      void sendError(error, request, reply.headers(headersFor(request)) as never, log),
    clientErrorHandler: answerMalformed,
    forceCloseConnections: 'idle',
    // Only a proxy that the operator has named may say for whom it forwards; the header of any other client is ignored.
    trustProxy: options.trusted_proxies.length > 0 && [...options.trusted_proxies],
  });
  // Not all answers come this far: one that is refused while the server closes is written by the framework itself.
  app.server.prependListener('request', (_, response) => response.setHeaders(fixedSecurityHeaders));
  app.decorateRequest('principal', null);
  readBodies(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(headersFor(request));
    done();
  });
  if (log.debugs)
    app.addHook('onResponse', (request, reply, done) => {
      log.debug('request', {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      });
      done();
    });
  // In this order: the ETag is that of the text, however it is sent.
  answerUnchanged(app);
  keepOutOfCaches(app);
  compressAnswers(app);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, log));
  answerUnknownPaths(app, options.routes);
  options.measure(app);
  const streams = makeOpenStreams(options.resolver.onChange);
  app.addHook('onClose', async () => streams.close());
  const recheck = makeRecheckRights(options.routes);
  for (const route of options.routes) addRoute(app, withSaveCheck(route, options.saves), options, streams, recheck);
  return app;
}

/** A change by a client that names the version it has seen is refused when there is a newer one. */
const withSaveCheck = (route: Route, saves: Saves): Route => ({
  ...route,
  handler: (scope, input) => saves.run(scope, route, input, async () => route.handler(scope, input)),
});

function addRoute(
  app: FastifyInstance,
  route: Route,
  { log, resolver, idempotency, audit, max_upload_bytes, request_limits, stream_limits }: Omit<ServerOptions, 'routes'>,
  streams: OpenStreams,
  recheck: ReturnType<typeof makeRecheckRights>,
): void {
  const { method, path } = methodAndPath(route);
  const validate = validator(route);
  const auditing = makeAuditing(route, audit);
  const summarize = makeSummarizer(route);
  const recheckRights = recheck(route);
  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: {
      takesBody: route.body !== undefined || route.raw === true,
      raw: route.raw === true,
      ...(route.upload && {
        upload: { ...route.upload, max_bytes: Math.min(max_upload_bytes, route.body_limit ?? max_upload_bytes) },
      }),
      ...(route.error_format && { error_format: route.error_format }),
      ...(route.error_page && { error_page: true as const }),
      ...(route.catalogue && { catalogue: true }),
    },
    ...(route.body_limit !== undefined && { bodyLimit: route.body_limit }),
    onRequest: async (request, reply) => {
      try {
        request.principal = await authorize(route, request, resolver, request_limits, (headers) =>
          reply.headers(headers),
        );
      } catch (error) {
        await auditing.refuse(request, error);
        throw error;
      }
      if (route.upload && !route.body) requireMultipart(request, route.upload);
    },
    handler: async (request, reply) => {
      const input = validate(request);
      const scope = scopeOf(request, reply, log);
      scope.authorize = () => authorize(route, request, resolver);
      // Before the work: a message whose answer can't be streamed must not start a run.
      const closeStream = mayAnswerStream(route, input) ? stream_limits.open(scope) : undefined;
      let answer: unknown;
      try {
        answer = await auditing.record(request, scope, input, (handler) =>
          runIdempotently(
            request,
            reply,
            scope,
            idempotency,
            handler,
            (result) => summarize(result, input) ?? (route.present ? route.present(result, scope) : result),
            route.idempotency,
            recheckRights,
          ),
        );
        if (closeStream && answer instanceof RawAnswer && answer.body instanceof Readable)
          answer.body.once('close', closeStream);
        else closeStream?.();
      } catch (error) {
        closeStream?.();
        throw error;
      }
      if (scope.etag !== undefined) reply.header('etag', `"${scope.etag}"`);
      if (!(answer instanceof RawAnswer)) return answer;
      // The framework answers HEAD by running GET and would read a whole file into nothing.
      if (request.method === 'HEAD' && answer.body instanceof Readable) answer.body.destroy();
      else if (answer.body instanceof Readable)
        streams.watch(answer.body, {
          credential_ids: namesOf(scope.actor),
          authorize: scope.authorize,
        });
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    },
  });
}
