import { Readable } from 'node:stream';
import {
  type BlobHeader,
  chunkBytes,
  decryptFrames,
  encryptBlob,
  escapePrefix,
  frameBytes,
  headerBytes,
  markLength,
  parseHeader,
  startsWithMark,
} from './blob-format.ts';
import {
  BlobDamaged,
  type BlobKeys,
  BlobMissing,
  type BlobName,
  type BlobRange,
  type EncryptedBlobStore,
  type OpenBlob,
  type RawBlobStore,
} from './driver.ts';
import { measureBlob } from './measure-blob.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** The plain form of a stream: the bytes themselves, behind a prefix if they begin like an encrypted blob. */
async function* escapePlain(stream: Bytes): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of stream) {
    if (!head) yield chunk;
    else if (head.length + chunk.length < markLength) head = Buffer.concat([head, chunk]);
    else {
      const start = Buffer.concat([head, chunk]);
      if (startsWithMark(start)) yield escapePrefix;
      head = undefined;
      yield start;
    }
  }
  if (head?.length) yield head;
}

/** Bytes from the first to the last one wanted, of a stream that begins before them. */
async function* trim(stream: Bytes, skip: number, length: number): AsyncGenerator<Uint8Array> {
  let [before, left] = [skip, length];
  for await (const chunk of stream) {
    const wanted = chunk.subarray(before, before + left);
    before = Math.max(0, before - chunk.length);
    left -= wanted.length;
    if (wanted.length) yield wanted;
  }
}

/** Refuses a stream that ends early, so that no half of a blob takes its place. */
async function* requireLength(stream: Bytes, size: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of stream) {
    seen += chunk.length;
    yield chunk;
  }
  if (seen !== size) throw new BlobDamaged(`The blob has ${size} bytes, of which ${seen} were read`);
}

/** A stream whose first chunk is already opened, so that a damaged blob is an error before the first byte. */
async function startReading(chunks: AsyncGenerator<Uint8Array>): Promise<Readable> {
  let first: IteratorResult<Uint8Array> | undefined = await chunks.next();
  const iterator = {
    async next() {
      const result = first ?? (await chunks.next());
      first = undefined;
      return result;
    },
    return: () => chunks.return(undefined),
    [Symbol.asyncIterator]: () => iterator,
  };
  return Readable.from(iterator, { objectMode: false });
}

/** Reads blobs in either form and writes new ones encrypted or plain, over a store of bytes. */
export function makeEncryptedBlobs(
  raw: RawBlobStore,
  { keys, encrypt }: { keys: BlobKeys; encrypt: boolean },
): EncryptedBlobStore {
  /** Reads an open blob, which is closed with the stream. */
  async function read(name: BlobName, blob: OpenBlob, header: BlobHeader, range?: BlobRange): Promise<Readable> {
    if (header.form !== 'encrypted') {
      const { start, end } = range ?? { start: 0 };
      const offset = header.form === 'escaped' ? escapePrefix.length : 0;
      return blob.stream({ start: start + offset, ...(end !== undefined && { end: end + offset }) });
    }
    const key = await keys.find(name.workspace_id, header.key_id);
    if (!key) throw new BlobDamaged('The blob was encrypted with a key that its workspace does not have');
    const { start, end } = range ?? { start: 0, end: Number.POSITIVE_INFINITY };
    const [first, until] = [Math.floor(start / chunkBytes), Math.floor(end / chunkBytes)];
    const frames = blob.stream({
      start: headerBytes + first * frameBytes,
      ...(range && { end: headerBytes + (until + 1) * frameBytes - 1 }),
    });
    const plain = decryptFrames({ key, salt: header.salt, name, first, until }, frames);
    return startReading(trim(plain, start - first * chunkBytes, end - start + 1));
  }

  async function withBlob<T>(name: BlobName, use: (blob: OpenBlob, header: BlobHeader) => Promise<T>): Promise<T> {
    const blob = await raw.open(name.workspace_id, name.id);
    try {
      return await use(blob, parseHeader(await blob.head(headerBytes)));
    } catch (error) {
      await blob.close();
      throw error;
    }
  }

  return {
    async put(workspace_id, id, stream, limit) {
      const measured = measureBlob(stream, limit);
      const stored = encrypt
        ? encryptBlob(await keys.current(workspace_id), { workspace_id, id }, measured.stream)
        : escapePlain(measured.stream);
      await raw.write(workspace_id, id, stored);
      return measured.result();
    },

    get: async (workspace_id, id, range) => {
      const name = { workspace_id, id };
      return withBlob(name, (blob, header) => read(name, blob, header, range));
    },

    async convert(workspace_id, id) {
      const name = { workspace_id, id };
      try {
        return await withBlob(name, async (blob, header) => {
          if ((header.form === 'encrypted') === encrypt) {
            await blob.close();
            return false;
          }
          const key = encrypt ? await keys.current(workspace_id) : undefined;
          const plain = await read(name, blob, header);
          try {
            const whole = header.form === 'plain' ? requireLength(plain, blob.size) : plain;
            return await raw.replace(workspace_id, id, key ? encryptBlob(key, name, whole) : escapePlain(whole));
          } finally {
            plain.destroy();
          }
        });
      } catch (error) {
        if (error instanceof BlobMissing) return false;
        throw error;
      }
    },

    delete: raw.delete,
    deleteWorkspace: raw.deleteWorkspace,
    list: raw.list,
    removePartial: raw.removePartial,
  };
}
