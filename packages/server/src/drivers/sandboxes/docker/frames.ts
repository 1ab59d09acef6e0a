import type { Output } from '../driver.ts';

const headerBytes = 8;

/** Docker sends both streams of a container in frames: the stream, three zeros, the length, then the bytes. */
export async function* framesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Output> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    waiting = waiting.length ? Buffer.concat([waiting, chunk]) : chunk;
    while (waiting.length >= headerBytes) {
      const end = headerBytes + waiting.readUInt32BE(4);
      if (waiting.length < end) break;
      yield { stream: waiting[0] === 2 ? 'stderr' : 'stdout', data: waiting.subarray(headerBytes, end) };
      waiting = waiting.subarray(end);
    }
  }
}
