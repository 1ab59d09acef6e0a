import { required } from '../../../lib/required.ts';
import { EngineFailed } from '../driver.ts';

const headerBytes = 5;
const endOfStream = 2;

/** One message of the Connect protocol: flags, length, JSON. */
export function envelope(message: unknown, flags = 0): Buffer {
  const content = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(flags, 0);
  header.writeUInt32BE(content.length, 1);
  return Buffer.concat([header, content]);
}

/** The messages of a stream, up to the last, which says whether it ended well. */
export async function* messagesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= headerBytes) {
      const end = headerBytes + waiting.readUInt32BE(1);
      if (waiting.length < end) break;
      const message = JSON.parse(waiting.subarray(headerBytes, end).toString()) as { error?: { code?: string } };
      const last = (required(waiting[0]) & endOfStream) !== 0;
      waiting = waiting.subarray(end);
      if (!last) yield message;
      else if (message.error) throw new EngineFailed(`E2B ended a command: ${message.error.code ?? 'unknown'}`);
      else return;
    }
  }
}
