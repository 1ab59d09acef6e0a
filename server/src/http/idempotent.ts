import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { InvalidRequest } from '../lib/errors.ts';
import type { IdempotencyStore } from '../lib/idempotency.ts';
import type { Scope } from '../lib/scope.ts';
import type { SentBody } from './body.ts';
import { errorAnswer } from './errors.ts';

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST') return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const msg = 'Idempotency-Key should be 1 to 255 visible ASCII characters';
  throw new InvalidRequest([
    { loc: ['header', 'idempotency-key'], msg, type: 'value_error', input: key, ctx: { error: msg } },
  ]);
}

/** What makes two requests the same: operation, query and the very bytes of the body. */
function fingerprintOf(request: FastifyRequest): Buffer {
  const bytes = (request.body as SentBody | undefined)?.bytes ?? '';
  return createHash('sha256').update(`${request.method} ${request.url}\0`).update(bytes).digest();
}

/** Runs the handler once for each Idempotency-Key, whatever happens to the connection or to us in between. */
export async function runIdempotently(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: Scope,
  store: IdempotencyStore,
  handler: () => Promise<unknown> | unknown,
): Promise<unknown> {
  const key = keyOf(request);
  if (key === undefined) return handler();

  const begun = await store.begin(scope, key, fingerprintOf(request));
  if ('text' in begun) {
    reply.code(begun.status).header('idempotent-replayed', 'true').type('application/json; charset=utf-8');
    return begun.text;
  }
  scope.idempotency = begun.hook;
  try {
    const answer = await handler();
    await begun.finish({ status: 200, text: JSON.stringify(answer) });
    return answer;
  } catch (error) {
    const { status, body } = errorAnswer(error);
    if (status >= 500) await begun.abandon();
    else await begun.finish({ status, text: JSON.stringify(body) });
    throw error;
  }
}
