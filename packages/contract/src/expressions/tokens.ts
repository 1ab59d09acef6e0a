/** Why an expression cannot be parsed or evaluated, in words for its author. `at` counts characters from 0. */
export class ExpressionError extends Error {
  readonly at: number | undefined;

  constructor(message: string, at?: number) {
    super(at === undefined ? message : `${message} (at character ${at + 1})`);
    this.at = at;
  }
}

/** The expression uses a name that does not exist. */
export class UnknownName extends ExpressionError {}

export interface Token {
  kind: 'number' | 'text' | 'name' | 'sign' | 'end';
  text: string;
  /** The value of a number or a text. */
  value?: string | number;
  at: number;
}

export const mostCharacters = 10_000;

// Sticky and without nested repetition: each character is looked at once.
const space = /\s+/y;
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?/y;
const name = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const sign = /===|!==|==|!=|<=|>=|&&|\|\||\?\?|[-+*/%<>!?:.,()[\]{}]/y;

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r' };

function readText(source: string, from: number): Token {
  const quote = source[from];
  let value = '';
  for (let at = from + 1; at < source.length; at++) {
    const character = source[at] as string;
    if (character === quote) return { kind: 'text', text: source.slice(from, at + 1), value, at: from };
    if (character === '\\') {
      const next = source[++at] ?? '';
      value += escapes[next] ?? next;
    } else value += character;
  }
  throw new ExpressionError('A text has no end', from);
}

function matched(pattern: RegExp, source: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0];
}

/** The tokens of an expression; the last one marks its end. */
export function tokensOf(source: string): Token[] {
  if (source.length > mostCharacters)
    throw new ExpressionError(`An expression has at most ${mostCharacters} characters`);
  const tokens: Token[] = [];
  for (let at = 0; at < source.length; ) {
    const blank = matched(space, source, at);
    if (blank) {
      at += blank.length;
      continue;
    }
    let token: Token;
    const digits = matched(number, source, at);
    const word = digits ? undefined : matched(name, source, at);
    if (digits) token = { kind: 'number', text: digits, value: Number(digits), at };
    else if (word) token = { kind: 'name', text: word, at };
    else if (source[at] === '"' || source[at] === "'") token = readText(source, at);
    else {
      const found = matched(sign, source, at);
      if (!found) throw new ExpressionError(`Unexpected ${JSON.stringify(source[at])}`, at);
      token = { kind: 'sign', text: found, at };
    }
    tokens.push(token);
    at = token.at + token.text.length;
  }
  tokens.push({ kind: 'end', text: 'end', at: source.length });
  return tokens;
}
