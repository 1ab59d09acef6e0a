import { AppError, type ValidationError } from '@atrium/contract/errors.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { asError } from '../../lib/as-error.ts';
import { readJson } from '../../lib/json/read-json.ts';

/** A body as it came: its bytes, and what they say or why they say nothing. */
export interface ReadBody {
  bytes: Buffer;
  value: unknown;
  validationErrors: ValidationError[];
}

// Every run of blanks ends at a character that can't be one: with two runs side by side a header could cost seconds.
const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*(?:;\s*)?)?)?$/i;

const notJson = () =>
  new AppError('unsupported_media_type', 'The body should be JSON, sent with content-type: application/json');

/** The body of a request as these parsers have read it. */
export const readBodyOf = (request: FastifyRequest) => request.body as ReadBody | undefined;

function sentBody(request: FastifyRequest, bytes: Buffer): ReadBody | undefined {
  // An operation that takes no body does not care what came with it.
  if (bytes.length === 0 || !request.routeOptions.config.takesBody) return undefined;
  if (request.routeOptions.config.raw) return { bytes, value: undefined, validationErrors: [] };
  if (!jsonType.test(request.headers['content-type'] ?? '')) throw notJson();
  const read = readJson(bytes);
  if (read.ok) return { bytes, value: read.value, validationErrors: [] };
  return {
    bytes,
    value: undefined,
    validationErrors: read.validationErrors.map((validationError) => ({
      ...validationError,
      loc: ['body', ...validationError.loc],
    })),
  };
}

/** The framework counts only what it reads itself. */
async function wholeOf(request: FastifyRequest, sent: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of sent) {
    size += chunk.length;
    if (size > request.routeOptions.bodyLimit) throw new AppError('too_large', 'The body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Replaces the parsers of Fastify: errors in the JSON are collected and answered together with all validation errors.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Fastify refuses a content type that it can't parse, even where the operation ignores the body.
  app.addHook('onRequest', (request, _, done) => {
    const { takesBody, upload } = request.routeOptions.config;
    if (!takesBody && !upload) delete request.raw.headers['content-type'];
    done();
  });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      done(null, sentBody(request, bytes as Buffer));
    } catch (error) {
      done(asError(error));
    }
  });
  // A form is not read here: the handler of an upload reads its files as they arrive. A raw body is read.
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, sent: AsyncIterable<Buffer>) => {
    if (request.routeOptions.config.raw) return sentBody(request, await wholeOf(request, sent));
    if (!request.routeOptions.config.upload && request.headers['content-length'] !== '0') throw notJson();
    return undefined;
  });
}
