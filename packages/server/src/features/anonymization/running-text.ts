/** Code and addresses. Their content is not running text. Every part is bounded, so that the time is linear. */
const notRunning = /```[\s\S]*?(?:```|$)|`[^`\n]{1,500}`|\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s<>"'`]+|\bwww\.[^\s<>"'`]+/gi;

const isWord = /[\p{L}\p{N}]/u;
const isWordAt = (text: string, at: number) => isWord.test(text.charAt(at));
/** Signs that join two words to an identifier. */
const joins = new Set(['_', '.', '-']);
/** Signs of a path or a qualified name, also where nothing stands on their other side. */
const divides = new Set(['/', '\\']);

const isKey = (text: string, start: number, end: number) =>
  /["']/.test(text.charAt(start - 1)) &&
  text.charAt(start - 1) === text.charAt(end) &&
  /^\s{0,3}:/.test(text.slice(end + 1, end + 5));

/** Whether a sign beside a word makes it part of an identifier; `beyond` is the position on its other side. */
const isJoined = (text: string, at: number, beyond: number) => {
  const sign = text.charAt(at);
  if (divides.has(sign)) return true;
  if (sign === ':') return text.charAt(beyond) === ':';
  return joins.has(sign) && isWordAt(text, beyond);
};

/**
 * Says whether a stretch of a text is running text: no part of code, of an address, of an identifier or a path, and no
 * key of an object.
 */
export function makeIsRunningText(text: string): (start: number, end: number) => boolean {
  let others: { start: number; end: number }[] | undefined;
  const isInside = (start: number) => {
    others ??= Array.from(text.matchAll(notRunning), ({ 0: { length }, index }) => ({
      start: index,
      end: index + length,
    }));
    let [low, high] = [0, others.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((others[middle]?.end ?? 0) > start) high = middle;
      else low = middle + 1;
    }
    return (others[low]?.start ?? Number.POSITIVE_INFINITY) <= start;
  };
  return (start, end) =>
    !isJoined(text, start - 1, start - 2) &&
    !isJoined(text, end, end + 1) &&
    !isKey(text, start, end) &&
    !isInside(start);
}
