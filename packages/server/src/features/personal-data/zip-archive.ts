import { Zip, ZipDeflate } from 'fflate';
import type { ArchiveEntry } from './ports.ts';

const bytesOf = (piece: Uint8Array | string) => (typeof piece === 'string' ? Buffer.from(piece) : piece);
const nothing = new Uint8Array();

/** The bytes of a zip archive, made while it is read: no file is held in memory. */
export async function* zipArchive(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  let failed: Error | null = null;
  const zip = new Zip((error, chunk) => {
    failed ??= error;
    if (chunk) ready.push(chunk);
  });
  function* drain() {
    if (failed) throw failed;
    const pieces = ready;
    ready = [];
    yield* pieces;
  }
  for await (const { name, content } of entries) {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    for await (const piece of content) {
      file.push(bytesOf(piece));
      yield* drain();
    }
    file.push(nothing, true);
    yield* drain();
  }
  zip.end();
  yield* drain();
}
