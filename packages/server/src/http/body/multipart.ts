import { AppError, InvalidRequest, invalid } from '@atrium/contract/errors.ts';
import type { FastifyRequest } from 'fastify';
import type { UploadedFile } from '../../lib/route.ts';
import { readContentDisposition } from './content-disposition.ts';
import { discard, malformed, partsOf, tooLarge } from './multipart-parts.ts';

export interface UploadConfig {
  field: string;
  fields?: Readonly<Record<string, string>>;
  max_bytes: number;
}

const maxFieldBytes = 64 * 1024;

/** Boundaries and headers of the parts come on top of what they hold. */
const framingBytes = 1024 * 1024;

export const isMultipart = (request: FastifyRequest) =>
  /^multipart\/form-data\s*(?:;|$)/i.test(request.headers['content-type']?.trim() ?? '');

/**
 * Refuses a file that is sent as it is, or another kind of form, before the body is read, and names the expected type.
 */
export function requireMultipart(request: FastifyRequest, { field }: { field: string }): void {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  const empty = chunked === undefined && (length === undefined || length === '0');
  if (!empty && !isMultipart(request))
    throw new AppError(
      'unsupported_media_type',
      `The body should be a form, sent with content-type: multipart/form-data, with a file in the field ${field}`,
    );
}

/** The boundary that the headers name. A body that the headers show to be unusable is refused before it is read. */
function announced(request: FastifyRequest, maxBody: number): string {
  const match = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^;\s]*))/i.exec(request.headers['content-type'] ?? '');
  const boundary = match?.[1] ?? match?.[2] ?? '';
  const large = Number(request.headers['content-length'] ?? 0) > maxBody;
  // RFC 2046 allows 70 characters.
  if (!large && boundary !== '' && boundary.length <= 70) return boundary;
  discard(request.raw);
  throw large ? tooLarge() : malformed('the content-type names no usable boundary');
}

async function readField(name: string, stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxFieldBytes) throw invalid(['body', name], `it has more than ${maxFieldBytes} bytes`, null);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  if (text.includes('\0')) throw invalid(['body', name], 'it has a NUL character', null);
  return text;
}

/**
 * The files in the field an upload route names, as they arrive. The text fields that it names are put into `fields`;
 * others are read and left alone.
 */
export async function* readUploadedFiles(
  request: FastifyRequest,
  fields: Record<string, string> = {},
): AsyncGenerator<UploadedFile> {
  const { field, fields: known = {}, max_bytes } = request.routeOptions.config.upload as UploadConfig;
  let found = 0;
  if (isMultipart(request)) {
    const maxBody = max_bytes + framingBytes;
    for await (const { headers, stream } of partsOf(request.raw, announced(request, maxBody), maxBody)) {
      const disposition = readContentDisposition(headers['content-disposition']?.[0] ?? '');
      if (!disposition) throw malformed('a part does not say which field it is');
      const { name, filename } = disposition;
      if (Object.hasOwn(known, name)) fields[name] = await readField(name, stream);
      if (name !== field) continue;
      if (filename === undefined && !headers['content-type'])
        throw invalid(['body', field], 'Value error, the field should hold a file: its part has no filename', null);
      found++;
      yield { field, filename: filename ?? '', stream };
    }
  }
  if (found === 0)
    throw new InvalidRequest([{ loc: ['body', field], msg: 'Field required', type: 'missing', input: null, ctx: {} }]);
}
