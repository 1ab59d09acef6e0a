import { Readable } from 'node:stream';
import { readBytes, readChunks } from '../../s3/read-body.ts';
import type { S3Client } from '../../s3/s3-client.ts';
import { isMissing, isRefusedByCondition, S3Failed } from '../../s3/s3-failed.ts';
import { BlobMissing, type OpenBlob } from '../driver.ts';

/** Most files are read with the first request. */
const firstBytes = 262_144;

interface First {
  size: number;
  etag: string;
  bytes: Buffer;
}

async function readFirst(client: S3Client, key: string): Promise<First> {
  const headers = { range: `bytes=0-${firstBytes - 1}` };
  try {
    return await client.exchange({ operation: 'read', method: 'GET', key, headers }, async (response) => {
      const bytes = await readBytes(response, client.timeout_ms, firstBytes);
      const size = Number(/\/(\d+)$/.exec(response.headers['content-range'] ?? '')?.[1] ?? bytes.length);
      if (bytes.length !== Math.min(size, firstBytes)) throw new S3Failed(undefined, 'cut off');
      return { size, etag: response.headers.etag ?? '', bytes };
    });
  } catch (error) {
    if (isMissing(error)) throw new BlobMissing();
    // An object without bytes has no first byte.
    if (error instanceof S3Failed && error.status === 416) return { size: 0, etag: '', bytes: Buffer.alloc(0) };
    throw error;
  }
}

/** Opens one version of an object. Reading goes on where it was when the store breaks off. */
export async function openObject(client: S3Client, key: string): Promise<OpenBlob> {
  const { size, etag, bytes } = await readFirst(client, key);

  /** The rest of the same version, from a byte on. */
  const request = (start: number, last: number) =>
    client.exchange(
      { operation: 'read', method: 'GET', key, headers: { range: `bytes=${start}-${last}`, 'if-match': etag } },
      (response) => {
        const isSame = response.headers.etag === undefined || response.headers.etag === etag;
        if (response.statusCode === 206 && isSame) return response;
        response.destroy();
        // Some stores ignore If-Match.
        throw isSame ? new S3Failed(response.statusCode, 'no range') : new S3Failed(412, 'PreconditionFailed');
      },
    );

  const requestRest = (start: number, last: number) =>
    request(start, last).catch((error: unknown) => {
      throw isRefusedByCondition(error)
        ? new S3Failed(412, 'replaced', 'The file was stored anew while it was read; try again')
        : error;
    });

  async function* read(start: number, last: number): AsyncGenerator<Buffer> {
    let at = start;
    if (at < bytes.length && at <= last) {
      yield bytes.subarray(at, last + 1);
      at = Math.min(bytes.length, last + 1);
    }
    for (let failures = 0; at <= last; ) {
      const chunks = readChunks(await requestRest(at, last), client.timeout_ms);
      try {
        for (;;) {
          // Only reading is repeated: an error that a reader ends the stream with comes out of `yield`.
          const next = await chunks.next().catch((error: unknown) => ({ error }));
          const failure = 'error' in next ? next.error : next.done && at <= last && new S3Failed(undefined, 'cut off');
          if (failure) {
            await client.pause('read', failure, ++failures);
            break;
          }
          if ('error' in next || next.done) break;
          yield next.value;
          at += next.value.length;
          failures = 0;
        }
      } finally {
        await chunks.return(undefined);
      }
    }
  }

  return {
    size,
    head: async (length) => bytes.subarray(0, length),
    stream: ({ start, end = size - 1 } = { start: 0 }) =>
      Readable.from(read(start, Math.min(end, size - 1)), { objectMode: false }),
    close: async () => {},
  };
}
