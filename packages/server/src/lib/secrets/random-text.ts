/**
 * Tells tokens that a program generated from words, names and numbers, without a dictionary. Words are long runs of one
 * kind of letter; random text changes between cases and digits every second character.
 */

const runs = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;
/** Pairs of letters that words of European languages hardly have. */
const rarePairs =
  /q[^u]|[jvz][bcdfghjklmnpqrstvwx]|x[bdfghjklmnqrsvwxz]|[bcdfghjklmpqtvwxz][jqx]|[bcdfghjkmpqvwx]z|[bcdfgkmpqtv]v|[fghjkmpqtvwxz]k|w[bcfgjmpqvwxz]|[jkqvxz]g|h[gjkqvxz]|[fghjkpqvwx]b/g;
const hexDigits = /^(?=.*\d)(?=.*[a-f])(?:[\da-f]{20,}|[\dA-F]{20,})$/;
const timestamp = /^\d{8}T\d{6}Z?$/;
const uuid = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;

export const isUuid = (text: string) => text.length === 36 && uuid.test(text);
export const containsUuid = (text: string) => uuid.test(text);

/** Whether a run of letters and digits is built like a word, a name, a version or a number. */
function isWordLike(text: string): boolean {
  if (/^\d+$/.test(text) || timestamp.test(text)) return true;
  if (hexDigits.test(text)) return false;
  const parts = text.match(runs) ?? [];
  const rare = parts.reduce((count, part) => count + (part.toLowerCase().match(rarePairs)?.length ?? 0), 0);
  const average = text.length / parts.length;
  if (!/\d/.test(text)) return average >= 3.5 && rare < 3;
  if (parts.length <= 2) return rare === 0 || text.length < 16;
  if (/[a-z]\d+[a-z]/i.test(text)) return rare === 0 && (parts.length <= 3 || average >= 3.8);
  return average >= 3.5 && rare < 2;
}

/**
 * Whether a text looks like a generated token: at least `length` characters, `random` of them in runs that are not like
 * words. UUIDs are ids of records and do not count.
 */
export function looksRandom(text: string, { length, random }: { length: number; random: number }): boolean {
  if (text.length < length || isUuid(text)) return false;
  let found = 0;
  for (const part of text.match(/[A-Za-z\d]+/g) ?? []) if (!isWordLike(part)) found += part.length;
  return found >= random;
}

/** Whether a text that stands where a token is expected can be one: words alone are not. */
export const isTokenLike = (text: string) =>
  text.length >= 7 && ((/\d/.test(text) && /[a-z]/i.test(text)) || looksRandom(text, { length: 7, random: 7 }));
