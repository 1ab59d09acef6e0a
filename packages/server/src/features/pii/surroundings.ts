/** Scripts with spaces between words, where a letter beside a value makes it part of a longer word. */
const glue = /[\p{N}_\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Whether the character belongs to the same word as the value beside it. */
export function glued(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (Number.isNaN(code)) return false;
  if (code < 0x80)
    return (code > 47 && code < 58) || (code > 64 && code < 91) || (code > 96 && code < 123) || code === 95;
  return glue.test(text.charAt(index));
}

/** Whether a value is alone on its line. */
export function alone(text: string, start: number, end: number): boolean {
  return (
    /(?:^|[\r\n])\s*$/.test(start > 4 ? `x${text.slice(start - 4, start)}` : text.slice(0, start)) &&
    /^\s*(?:$|[\r\n])/.test(end + 4 < text.length ? `${text.slice(end, end + 4)}x` : text.slice(end))
  );
}

/** Whether one of the words stands near a value. */
export function near(text: string, start: number, end: number, words: RegExp, before = 40, after = 24): boolean {
  return words.test(text.slice(Math.max(0, start - before), start)) || words.test(text.slice(end, end + after));
}

/** The text right before a value. */
export const before = (text: string, start: number, length = 24) => text.slice(Math.max(0, start - length), start);
