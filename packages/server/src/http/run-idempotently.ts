import { createHash } from 'node:crypto';
import { InvalidRequest } from '@atrium/contract/errors.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IdempotencyStore } from '../features/idempotency/ports.ts';
import { RawAnswer } from '../lib/responses/raw-answer.ts';
import type { Scope } from '../lib/scope.ts';
import { readBodyOf } from './body/read-bodies.ts';
import { errorAnswer } from './errors.ts';
import type { RecheckRights } from './recheck-rights.ts';

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST') return undefined;
  if (typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const msg = 'Idempotency-Key should be 1 to 255 visible ASCII characters';
  throw new InvalidRequest([
    { loc: ['header', 'idempotency-key'], msg, type: 'value_error', input: key, ctx: { error: msg } },
  ]);
}

/**
 * What makes two requests the same: operation, query and the very bytes of the body. Of an upload only the length: its
 * bytes are not here yet, and its content type names a boundary that a retry makes anew. So a caller that sends another
 * file of the same length under the same key gets the answer about the first.
 */
function fingerprintOf(request: FastifyRequest): Buffer {
  const length = request.headers['content-length'] ?? 'unknown length';
  const unread = request.routeOptions.config.upload ? `form of ${length}` : '';
  const bytes = readBodyOf(request)?.bytes ?? unread;
  return createHash('sha256').update(`${request.method} ${request.url}\0`).update(bytes).digest();
}

/** An answer as text; one that flows can't be kept, and no POST answers with one. */
function textOf(answer: unknown): string {
  if (!(answer instanceof RawAnswer)) return JSON.stringify(answer);
  if (typeof answer.body !== 'string') throw new Error('The answer to a POST must be text to be kept');
  return answer.body;
}

/** Runs the handler once for each Idempotency-Key, even if the connection or the process fails in between. */
export async function runIdempotently(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: Scope,
  store: IdempotencyStore,
  handler: () => Promise<unknown> | unknown,
  present: (result: unknown) => unknown,
  kept: 'own' | 'none' | undefined,
  recheck: RecheckRights,
): Promise<unknown> {
  if (kept === 'none') return present(await handler());
  const key = keyOf(request);
  if (key !== undefined && kept === 'own') scope.request_key = { key, fingerprint: fingerprintOf(request) };
  if (key === undefined || kept === 'own') return present(await handler());

  const begun = await store.begin(scope, key, fingerprintOf(request));
  if ('text' in begun) {
    if (begun.status < 300) await recheck(scope, request.params, begun.text);
    reply.code(begun.status).header('idempotent-replayed', 'true').type('application/json; charset=utf-8');
    return begun.text;
  }
  scope.idempotency = {
    async store(run, result) {
      // A transaction that returns nothing is not the one that makes the answer.
      if (result !== undefined) await begun.storeWith(run, textOf(present(result)));
    },
  };
  try {
    const answer = present(await handler());
    await begun.finish({ status: answer instanceof RawAnswer ? answer.status : 200, text: textOf(answer) });
    return answer;
  } catch (error) {
    const { status, body } = errorAnswer(error);
    // A body that broke off says nothing about the request that was meant: its sender will come again.
    const cutOff = request.raw.destroyed && !request.raw.complete && !request.raw.readableEnded;
    if (status >= 500 || cutOff) await begun.abandon();
    else await begun.finish({ status, text: JSON.stringify(body) });
    throw error;
  }
}
