import { TextDecoder } from 'node:util';
import { NotExtractable } from '../driver.ts';
import { encodingOf } from './read-text.ts';

const headBytes = 1024 * 1024;

const isUtf8 = (bytes: Uint8Array) => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
};

function decoderFor(encoding: string, head: Buffer): TextDecoder {
  const found = encodingOf(head);
  if (encoding === 'auto') return new TextDecoder(found, { fatal: true });
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new NotExtractable('unreadable', `there is no encoding called ${JSON.stringify(encoding.slice(0, 50))}`);
  }
  // One-byte encodings accept any bytes, but valid multi-byte UTF-8 is hardly ever anything else.
  const wide = decoder.encoding.startsWith('utf-');
  const other = found.startsWith('utf-16') || (found === 'utf-8' && isUtf8(head) && head.some((byte) => byte > 0x7f));
  if (!wide && other) throw new NotExtractable('unreadable', `it is not ${encoding} text, but ${found}`);
  return decoder;
}

/** The text of a file piece by piece. Another encoding than the one it is said to be in is an error. */
export async function* decodeStream(
  content: AsyncIterable<Uint8Array>,
  { encoding, signal }: { encoding: string; signal: AbortSignal },
): AsyncGenerator<string> {
  const held: Uint8Array[] = [];
  let decoder: TextDecoder | undefined;
  let size = 0;
  const read = (bytes?: Uint8Array): string => {
    try {
      return decoder?.decode(bytes, { stream: bytes !== undefined }) ?? '';
    } catch {
      throw new NotExtractable('unreadable', `it is not ${decoder?.encoding} text`);
    }
  };
  const begin = () => {
    const head = Buffer.concat(held);
    decoder = decoderFor(encoding, head);
    return read(head);
  };
  for await (const bytes of content) {
    signal.throwIfAborted();
    if (decoder) yield read(bytes);
    else {
      held.push(bytes);
      size += bytes.length;
      if (size >= headBytes) yield begin();
    }
  }
  if (!decoder) yield begin();
  yield read();
}
