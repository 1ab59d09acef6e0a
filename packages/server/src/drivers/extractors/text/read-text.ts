import { NotExtractable } from '../driver.ts';

interface Head {
  bytes: Buffer;
  /** Whether there was more. */
  cut: boolean;
}

async function readHead(content: AsyncIterable<Uint8Array>, max_bytes: number, signal: AbortSignal): Promise<Head> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    signal.throwIfAborted();
    chunks.push(chunk);
    size += chunk.length;
    if (size > max_bytes) break;
  }
  const bytes = Buffer.concat(chunks);
  return { bytes: bytes.subarray(0, max_bytes), cut: size > max_bytes };
}

function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    // `stream` accepts a character that is cut off at the end.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

/** Spreadsheets and old editors write UTF-16 without its mark: then one of every two bytes of Latin text is 0. */
function unmarkedUtf16(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 1024);
  let [even, odd] = [0, 0];
  for (const [index, byte] of head.entries())
    if (byte === 0) {
      if (index % 2) odd++;
      else even++;
    }
  const most = head.length * 0.3;
  if (odd > most && even === 0) return 'utf-16le';
  return even > most && odd === 0 ? 'utf-16be' : undefined;
}

/** What a text seems to be written in, by its beginning. */
export function encodingOf(bytes: Buffer): string {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  const wide = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : unmarkedUtf16(bytes);
  // Latin-1 as it is written in practice, with the quotes and dashes of Windows. Any bytes are that, so it comes last.
  return wide ?? (decoded(bytes, 'utf-8') === undefined ? 'windows-1252' : 'utf-8');
}

/** Everything below the blank but tab, line feed, form feed, carriage return and escape (terminal logs). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what text does not have
const control = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/g;

/** Removes control characters and replaces lone surrogates: databases refuse those in some PDF and Office files. */
export const clean = (text: string) => text.replaceAll(control, '').toWellFormed();

/** A few are a slip of some program; many mean that it was never text. */
export function isBinary(text: string): boolean {
  let found = 0;
  for (const _ of text.slice(0, 65_536).matchAll(control)) found++;
  return found > 4 && found > Math.min(text.length, 65_536) / 200;
}

/** Reads at most `max_bytes` of a file, detects the encoding and normalizes line ends. */
export async function readText(
  content: AsyncIterable<Uint8Array>,
  { max_bytes, signal }: { max_bytes: number; signal: AbortSignal },
): Promise<{ text: string; cut: boolean }> {
  const { bytes, cut } = await readHead(content, max_bytes, signal);
  const text = decoded(bytes, encodingOf(bytes));
  if (text === undefined || isBinary(text)) throw new NotExtractable('unreadable', 'it is not text');
  return { text: clean(text.replaceAll(/\r\n?/g, '\n')), cut };
}

/** Bytes that are enough for so many characters in any encoding. */
export const bytesFor = (max_chars: number) => max_chars * 4 + 4;
