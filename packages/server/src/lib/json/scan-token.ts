/** Where and why Python's json module would stop reading; `index` is in UTF-16 units. */
export class JsonParseStop extends Error {
  readonly index: number;

  constructor(message: string, index: number) {
    super(message);
    this.index = index;
  }
}

const SPACES = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what ends a plain run.
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const HEX4 = /[0-9a-fA-F]{4}/y;
const SCALAR = /null|true|false|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

export function skipSpaces(text: string, at: number): number {
  return matchEnd(SPACES, text, at);
}

/** End of the number or literal at `at`. NaN and Infinity, which Python reads, are no JSON and refused. */
export function scanScalar(text: string, at: number): number {
  const end = matchEnd(SCALAR, text, at);
  if (end < 0) throw new JsonParseStop('Expecting value', at);
  return end;
}

/** End (after the closing quote) of the string whose opening quote is at `open`. */
export function scanString(text: string, open: number): number {
  for (let at = open + 1; ; ) {
    at = matchEnd(PLAIN, text, at);
    const char = text[at];
    if (char === '"') return at + 1;
    if (char !== undefined && char !== '\\') throw new JsonParseStop('Invalid control character at', at);
    const letter = text[at + 1];
    if (char === undefined || letter === undefined) throw new JsonParseStop('Unterminated string starting at', open);
    if (letter === 'u') {
      // Python wants a character after the four digits, too, before it looks at them; the place named is the same.
      const end = matchEnd(HEX4, text, at + 2);
      if (end < 0 || end === text.length) throw new JsonParseStop('Invalid \\uXXXX escape', at + 1);
      at = end;
    } else if ('"\\/bfnrt'.includes(letter)) {
      at += 2;
    } else {
      throw new JsonParseStop('Invalid \\escape', at);
    }
  }
}
