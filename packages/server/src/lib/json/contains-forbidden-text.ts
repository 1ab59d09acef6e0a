import { scanText } from './scan-text.ts';

/**
 * Escapes that could encode NUL, a letter of `__proto__` or a lone surrogate. An escaped backslash before a `u` matches
 * too, because the text after it may only look like a surrogate.
 */
const SUSPECT = /\\(?:\\u|u(?:00(?:00|5f|6f|7[024])|d(?:[89ab]..(?!\\ud[c-f])|[c-f](?<!\\ud[89ab]..\\ud[c-f]))))/i;

/** Whether a JSON text could spell a string that we refuse; many clients escape all but ASCII, so `\u` alone is none. */
export function mayContainForbiddenText(text: string): boolean {
  return text.includes('__proto__') || (text.includes('\\u') && SUSPECT.test(text));
}

/** Whether a string or a key in a parsed value (of bounded depth) is one that we refuse. */
export function containsForbiddenText(value: unknown): boolean {
  if (typeof value === 'string') return scanText(value) !== undefined;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(containsForbiddenText);
  return Object.keys(value).some(isRefusedKey) || Object.values(value).some(containsForbiddenText);
}

function isRefusedKey(key: string): boolean {
  // With JSON.parse it is a plain key, but any copy by assignment would make it the copy's prototype.
  return key === '__proto__' || scanText(key) !== undefined;
}
