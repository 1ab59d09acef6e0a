import { Readable } from 'node:stream';
import type { UploadedFile } from '../../../lib/route.ts';

/** So small a file is held in memory while the next ones of the form arrive. */
const smallBytes = 256 * 1024;
const atOnce = 16;

/** The beginning of a stream, and the whole of it again. */
async function begun(stream: Readable): Promise<{ whole: boolean; content: Readable }> {
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
 * Keeps the files of a form, several small ones at once: most of the time of each goes by while the disk makes sure of
 * it. Answers in the order of the form; what was kept before a failure is told to `undo`.
 */
export async function storeUploadedFiles<T>(
  sent: AsyncIterable<UploadedFile>,
  keep: (filename: string, content: Readable) => Promise<T>,
  undo: (kept: T) => Promise<unknown>,
): Promise<T[]> {
  const kept: Promise<T>[] = [];
  const busy = new Set<Promise<unknown>>();
  try {
    for await (const { filename, stream } of sent) {
      const { whole, content } = await begun(stream);
      const one = keep(filename, content);
      kept.push(one);
      const ended: Promise<unknown> = one.then(
        () => busy.delete(ended),
        () => busy.delete(ended),
      );
      busy.add(ended);
      // A large one flows through, so nothing else of the form can be read before its end.
      if (!whole) await one;
      while (busy.size >= atOnce) await Promise.race(busy);
    }
    return await Promise.all(kept);
  } catch (error) {
    for (const one of await Promise.allSettled(kept)) if (one.status === 'fulfilled') await undo(one.value);
    throw error;
  }
}
