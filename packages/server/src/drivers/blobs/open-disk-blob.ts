import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { OpenBlob } from './driver.ts';

/** A blob of at most so many bytes is read at once with its head: each further read is another call of the system. */
const smallBytes = 65_536;

function streamPart(bytes: Buffer, { start, end }: { start: number; end?: number }): Readable {
  const part = bytes.subarray(start, end === undefined ? bytes.length : end + 1);
  return Readable.from(part.length ? [part] : [], { objectMode: false });
}

/** Reads a blob from its file, which is closed when the blob is in memory or with the stream. */
export async function openDiskBlob(handle: FileHandle): Promise<OpenBlob> {
  const { size } = await handle.stat();
  let whole: Buffer | undefined;
  return {
    size,
    async head(length) {
      const wanted = size <= smallBytes ? Math.max(size, length) : length;
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted), 0, wanted, 0);
      if (bytesRead === size) {
        whole = buffer.subarray(0, size);
        await handle.close();
      }
      return buffer.subarray(0, Math.min(bytesRead, length));
    },
    stream: (range = { start: 0 }) => (whole ? streamPart(whole, range) : handle.createReadStream(range)),
    close: () => handle.close(),
  };
}
