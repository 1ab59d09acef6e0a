import { Readable } from 'node:stream';
import type { UploadedFile } from '../../../lib/route.ts';

/** Smaller files are held in memory while the next files of the form arrive. */
const smallBytes = 256 * 1024;
const atOnce = 16;

/** Reads the beginning of a stream; returns the whole stream again, and whether it is complete already. */
async function peekStream(stream: Readable): Promise<{ whole: boolean; content: Readable }> {
  const head: Buffer[] = [];
  let size = 0;
  const rest = stream[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return { whole: true, content: Readable.from([Buffer.concat(head)]) };
    head.push(value as Buffer);
    size += (value as Buffer).length;
    if (size <= smallBytes) continue;
    async function* all() {
      yield* head;
      for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value as Buffer;
    }
    return { whole: false, content: Readable.from(all()) };
  }
}

/**
 * Stores the files of a form, several small ones at once, because most of the time of each is waiting for the disk.
 * Returns them in the order of the form. After a failure, `undo` is called for each stored file.
 */
export async function storeUploadedFiles<T>(
  sent: AsyncIterable<UploadedFile>,
  store: (filename: string, content: Readable) => Promise<T>,
  undo: (stored: T) => Promise<unknown>,
): Promise<T[]> {
  const stored: Promise<T>[] = [];
  const busy = new Set<Promise<unknown>>();
  try {
    for await (const { filename, stream } of sent) {
      const { whole, content } = await peekStream(stream);
      const storing = store(filename, content);
      stored.push(storing);
      const ended: Promise<unknown> = storing.then(
        () => busy.delete(ended),
        () => busy.delete(ended),
      );
      busy.add(ended);
      // A large file streams through, so the next one can't be read before its end.
      if (!whole) await storing;
      while (busy.size >= atOnce) await Promise.race(busy);
    }
    return await Promise.all(stored);
  } catch (error) {
    for (const result of await Promise.allSettled(stored)) if (result.status === 'fulfilled') await undo(result.value);
    throw error;
  }
}
