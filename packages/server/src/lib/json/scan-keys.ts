const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * The number of keys written in a JSON text (colons outside strings), or -1 when it nests deeper than `maxDepth`.
 * Exact for valid JSON only; the text is not checked here, since JSON.parse does that faster. It runs before that, as
 * JSON.parse takes seconds for a few megabytes of brackets.
 */
export function scanKeys(text: string, maxDepth: number): number {
  let keys = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at + 1);
      if (at < 0) return keys;
    } else if (code === COLON) {
      keys++;
    } else if (code > 0x5a) {
      // Square and curly brackets differ in this one bit.
      const bracket = code | 0x20;
      if (bracket === CLOSING) depth--;
      else if (bracket === OPENING && ++depth > maxDepth) return -1;
    }
  }
  return keys;
}

/** Where the string whose content begins at `start` ends, or -1. Linear: a run of backslashes is looked at once. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start);
  while (at > start && text.charCodeAt(at - 1) === BACKSLASH) {
    let run = at - 1;
    while (run > start && text.charCodeAt(run - 1) === BACKSLASH) run--;
    if ((at - run) % 2 === 0) break;
    at = text.indexOf('"', at + 1);
  }
  return at;
}
