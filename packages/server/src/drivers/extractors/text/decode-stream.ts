import { TextDecoder } from 'node:util';
import { NotExtractable } from '../driver.ts';
import { findEncoding } from './find-encoding.ts';
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

/** The decoder of the named encoding, or of the one that the beginning of the text seems to be in. */
function decoderFor(encoding: string, head: Buffer): TextDecoder {
  const found = encodingOf(head);
  if (encoding === 'auto') return new TextDecoder(found, { fatal: true });
  const name = findEncoding(encoding);
  if (!name)
    throw new NotExtractable('unreadable', `there is no encoding called ${JSON.stringify(encoding.slice(0, 50))}`);
  // The name UTF-16 says nothing of the order of the bytes.
  if (/^utf.?16$/i.test(encoding) && found.startsWith('utf-16')) return new TextDecoder(found, { fatal: true });
  // One-byte encodings accept any bytes, but valid multi-byte UTF-8 is hardly ever anything else.
  const wide = name.startsWith('utf-');
  const other = found.startsWith('utf-16') || (found === 'utf-8' && isUtf8(head) && head.some((byte) => byte > 0x7f));
  if (!wide && other) throw new NotExtractable('unreadable', `it is not ${encoding} text, but ${found}`);
  return new TextDecoder(name, { fatal: true });
}

const isAscii = (bytes: Uint8Array) => bytes.every((byte) => byte <= 0x7f);

/**
 * The text of a file piece by piece. Another encoding than the one it is said to be in is an error. With `auto`, a file
 * that is not UTF-8 further down is read as Windows text if it was ASCII so far.
 */
export async function* decodeStream(
  content: AsyncIterable<Uint8Array>,
  { encoding, signal }: { encoding: string; signal: AbortSignal },
): AsyncGenerator<string> {
  const held: Uint8Array[] = [];
  let decoder: TextDecoder | undefined;
  let [size, ascii] = [0, encoding === 'auto'];
  const read = (bytes?: Uint8Array): string => {
    const wasAscii = ascii;
    ascii &&= bytes === undefined || isAscii(bytes);
    try {
      return decoder?.decode(bytes, { stream: bytes !== undefined }) ?? '';
    } catch {
      if (!wasAscii || decoder?.encoding !== 'utf-8')
        throw new NotExtractable('unreadable', `it is not ${decoder?.encoding} text`);
      decoder = new TextDecoder('windows-1252');
      return decoder.decode(bytes, { stream: true });
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
