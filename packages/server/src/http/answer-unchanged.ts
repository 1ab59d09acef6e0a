import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Whether the client has this version already; a proxy may have weakened the tag. */
const hasVersion = ({ headers }: FastifyRequest, etag: string) =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');

/** Gives catalogues an ETag, and answers 304 to clients that have them already. */
export function answerUnchanged(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.routeOptions.config.catalogue || request.method !== 'GET' || reply.statusCode !== 200)
      return done(null, payload);
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    const etag = `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`;
    reply.header('etag', etag);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache');
    if (!hasVersion(request, etag)) return done(null, payload);
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    done(null, null);
  });
}

/**
 * Keeps answers out of every cache, on disks of browsers and in proxies, unless they say otherwise themselves: files and
 * catalogues that clients revalidate, and the files of pages.
 */
export function keepOutOfCaches(app: FastifyInstance): void {
  app.addHook('onSend', (_, reply, payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-store');
    done(null, payload);
  });
}
