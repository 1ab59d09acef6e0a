import { AppError } from '@atrium/contract/errors.ts';
import { inPieces } from '../blobs/in-pieces.ts';
import { plainText, type S3Client, textIn } from './s3-client.ts';
import { S3Failed } from './s3-failed.ts';

/** Larger than the smallest part that S3 takes, and of one size, which some stores demand. */
const usualPart = 8 * 1024 * 1024;
const maxParts = 10_000;

interface WriteOptions {
  /** Asked when all bytes are on the other side, for the headers of the last request. */
  conditions?: () => Promise<Headers>;
  /** How large the parts of an upload are; 10,000 of them are the largest object. */
  part_bytes?: number;
}

type Headers = Record<string, string>;

/** Starts an upload in parts; nothing of it can be read before its end. */
export async function startUpload(client: S3Client, key: string, maxBytes = usualPart * maxParts) {
  const root = 'InitiateMultipartUploadResult';
  const { text } = await client.call({ operation: 'upload', method: 'POST', key, query: { uploads: '' }, root });
  const uploadId = textIn(text, 'UploadId');
  if (!uploadId) throw new S3Failed(undefined, 'no upload id');
  const etags: string[] = [];
  let size = 0;

  return {
    abort: () => abortUpload(client, key, uploadId),
    /** Adds a part that the store copies from another object. */
    async addCopy(source: Headers, bytes: number): Promise<void> {
      const query = { partNumber: String(etags.length + 1), uploadId };
      const request = { operation: 'copy part', method: 'PUT', key, query, headers: source } as const;
      const { text: copied } = await client.call({ ...request, root: 'CopyPartResult' });
      etags.push(plainText(textIn(copied, 'ETag')));
      size += bytes;
    },
    async add(body: Buffer): Promise<void> {
      if (etags.length === maxParts) throw new AppError('too_large', `A file may have at most ${maxBytes} bytes`);
      const query = { partNumber: String(etags.length + 1), uploadId };
      const { headers } = await client.call({ operation: 'upload part', method: 'PUT', key, query, body });
      etags.push(headers.etag ?? '');
      size += body.length;
    },
    async complete(headers: Headers): Promise<void> {
      const parts = etags.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      try {
        const root = 'CompleteMultipartUploadResult';
        const request = {
          operation: 'complete upload',
          method: 'POST',
          key,
          query: { uploadId },
          headers,
          body,
        } as const;
        await client.call({ ...request, root });
      } catch (error) {
        // The store may have done it without its answer reaching us; the next attempt finds no upload.
        if (!(error instanceof S3Failed) || error.reason !== 'NoSuchUpload') throw error;
        const stored = await client.call({ operation: 'look', method: 'HEAD', key });
        if (Number(stored.headers['content-length']) !== size) throw error;
      }
    },
  };
}

export async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  try {
    await client.call({ operation: 'abort upload', method: 'DELETE', key, query: { uploadId } });
  } catch (error) {
    if (!(error instanceof S3Failed) || error.status !== 404) throw error;
  }
}

/** Stores a stream as one object, which is there whole or not at all. */
export async function writeObject(
  client: S3Client,
  key: string,
  stream: AsyncIterable<Uint8Array>,
  { conditions = async () => ({}), part_bytes = usualPart }: WriteOptions = {},
): Promise<void> {
  let upload: Awaited<ReturnType<typeof startUpload>> | undefined;
  try {
    for await (const { bytes, last } of inPieces(stream, part_bytes)) {
      if (last && !upload) {
        const headers = await conditions();
        await client.call({ operation: 'write', method: 'PUT', key, headers, body: bytes });
        return;
      }
      upload ??= await startUpload(client, key, part_bytes * maxParts);
      await upload.add(bytes);
    }
    await upload?.complete(await conditions());
  } catch (error) {
    // What can't be aborted now is removed by the sweep; the first error is the one to tell.
    await upload?.abort().catch(() => undefined);
    throw error;
  }
}
