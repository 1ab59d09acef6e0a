import { isUtf8 } from 'node:buffer';
import { containsForbiddenText, mayContainForbiddenText } from './contains-forbidden-text.ts';
import { countKeys } from './count-keys.ts';
import { findJsonErrors } from './find-json-errors.ts';
import { invalidJson, type JsonValidationError, MAX_DEPTH } from './json-validation-error.ts';
import { scanKeys } from './scan-keys.ts';

export type { JsonValidationError } from './json-validation-error.ts';
export { scanText } from './scan-text.ts';

export type JsonReading = { ok: true; value: unknown } | { ok: false; validationErrors: JsonValidationError[] };

/**
 * Parses a request body, or returns its validation errors (`loc` without the leading "body"). JSON.parse does the work;
 * the slow reader runs only when it fails or when the counts show an error. Integers beyond 2^53 lose digits, as in any
 * JavaScript (Pydantic would keep them).
 */
export function readJson(bytes: Uint8Array): JsonReading {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    return refused([invalidJson('Unexpected UTF-8 BOM (decode using utf-8-sig)', 0)]);
  }
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  if (!isUtf8(bytes)) return refused([invalidJson('Invalid UTF-8', badByteOffset(buffer, text))]);

  const keys = scanKeys(text, MAX_DEPTH);
  if (keys < 0) return refused(findJsonErrors(text));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused(findJsonErrors(text));
  }
  const sound = countKeys(value) === keys && !(mayContainForbiddenText(text) && containsForbiddenText(value));
  return sound ? { ok: true, value } : refused(findJsonErrors(text));
}

function refused(validationErrors: JsonValidationError[]): JsonReading {
  // Only a difference between JSON.parse and our own reader could leave this empty; refusing is the safe side.
  return {
    ok: false,
    validationErrors: validationErrors.length > 0 ? validationErrors : [invalidJson('Expecting value', 0)],
  };
}

/** Characters before the first bad byte: the first U+FFFD of the lenient decoding that was not sent as one. */
function badByteOffset(buffer: Buffer, text: string): number {
  let offset = 0;
  let byte = 0;
  for (const char of text) {
    if (char === '\uFFFD' && buffer.toString('latin1', byte, byte + 3) !== '\xef\xbf\xbd') break;
    byte += Buffer.byteLength(char);
    offset++;
  }
  return offset;
}
