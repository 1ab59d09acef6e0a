import type { IncomingMessage } from 'node:http';

/** The body of an answer. A store that falls silent is given up; a reader that takes its time is not. */
export async function* readChunks(response: IncomingMessage, timeout_ms: number): AsyncGenerator<Buffer> {
  const chunks = response[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(() => response.destroy(new Error('The store does not answer')), timeout_ms);
      const next = await chunks.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value as Buffer;
    }
  } finally {
    response.destroy();
  }
}

export async function readBytes(response: IncomingMessage, timeout_ms: number, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readChunks(response, timeout_ms)) {
    size += chunk.length;
    if (size > max) throw new Error('The answer of the store is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
