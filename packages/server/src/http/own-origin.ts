import { forbidden } from '@atrium/contract/errors.ts';
import type { FastifyRequest } from 'fastify';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a change that a page of another site had the browser send along with the session cookie. A request without an
 * Origin must say in Sec-Fetch-Site that it comes from a page of this server.
 */
export function requireOwnOrigin(request: FastifyRequest, origin: string): void {
  if (reading.has(request.method)) return;
  const from = request.headers.origin;
  const isOwn =
    from === undefined
      ? request.headers['sec-fetch-site'] === 'same-origin'
      : from === origin || from === `${request.protocol}://${request.host}`;
  if (!isOwn)
    throw forbidden(
      `A request with the session cookie must come from a page of this server: send Origin: ${origin}`,
      'origin_refused',
    );
}
