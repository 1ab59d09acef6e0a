import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WebRefused } from './driver.ts';

/** Some servers compress an answer although they were asked not to. */
export const unpackers: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

async function* capped(chunks: AsyncIterable<Uint8Array>, max_bytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > max_bytes) throw tooLarge(max_bytes);
    yield chunk;
  }
}

const megabytes = (bytes: number) =>
  bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MB` : `${Math.floor(bytes / 1024)} kB`;

export const tooLarge = (max_bytes: number) =>
  new WebRefused(
    'too_large',
    `it is larger than the ${max_bytes < 1024 ? `${max_bytes} bytes` : megabytes(max_bytes)} that are taken`,
  );

/**
 * The decompressed body of an answer, limited in size. Both the compressed and the decompressed bytes are counted.
 * `explain` translates errors on the way.
 */
export function answerBody(
  response: IncomingMessage,
  { max_bytes, bodiless, explain }: { max_bytes: number; bodiless: boolean; explain: (error: unknown) => unknown },
): Readable {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const plain = bodiless || coding === '' || coding === 'identity' || response.headers['content-length'] === '0';
  const unpacker = plain ? undefined : unpackers[coding];
  if (!plain && !unpacker) throw new WebRefused('bad_answer', 'its server sent it in a form that can not be read');
  if (!bodiless && Number(response.headers['content-length']) > max_bytes) throw tooLarge(max_bytes);

  async function* content() {
    try {
      if (!unpacker) return yield* capped(response, max_bytes);
      const counted = (chunks: AsyncIterable<Uint8Array>) => capped(chunks, max_bytes);
      // Errors come out of the iteration below.
      yield* capped(
        pipeline(response, counted, unpacker(), () => {}),
        max_bytes,
      );
    } catch (error) {
      throw explain(error);
    }
  }
  return Readable.from(content(), { objectMode: false });
}
