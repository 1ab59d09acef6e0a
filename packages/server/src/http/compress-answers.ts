import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Less than this fits into a few packets anyway. */
const least_bytes = 4096;
const compressible = /^(?:application\/(?:[\w.+-]*json|xml|javascript)|text\/(?!event-stream)|image\/svg\+xml)/;

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const encoders = {
  br: (text: string | Buffer) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (text: string | Buffer) => zip(text, { level: 5 }),
};
type Encoding = keyof typeof encoders;

/** The encoding that a client takes, brotli first; one with `q=0` is refused. */
export function chooseEncoding(accepted: string | undefined): Encoding | undefined {
  if (!accepted) return undefined;
  const taken = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...params] = part.split(';').map((word) => word.trim().toLowerCase());
      const weight = params.find((param) => param.startsWith('q='));
      return [name, weight === undefined || Number(weight.slice(2)) > 0];
    }),
  );
  const takes = (name: string) => taken.get(name) ?? taken.get('*') ?? false;
  return (['br', 'gzip'] as const).find(takes);
}

function isWorthwhile(request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string | Buffer {
  // Only what is read: answers that show a secret once are those of writes.
  if (request.method !== 'GET' || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return false;
  if (payload.length < least_bytes || reply.statusCode === 206 || reply.hasHeader('content-encoding')) return false;
  return compressible.test(String(reply.getHeader('content-type') ?? ''));
}

/** Compresses the texts and JSON that clients read, where they take it. Streams and files go out as they are. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isWorthwhile(request, reply, payload)) return done(null, payload);
    reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '));
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (!encoding) return done(null, payload);
    reply.header('content-encoding', encoding).removeHeader('content-length');
    encoders[encoding](payload).then((packed) => done(null, packed), done);
  });
}
