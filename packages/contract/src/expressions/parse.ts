import { ExpressionError, type Token, tokensOf } from './tokens.ts';

export type Binary = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in';
export type Logic = '&&' | '||' | '??';

/** An expression as a tree. */
export type Expression =
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'name'; name: string }
  | { kind: 'member'; of: Expression; key: Expression }
  | { kind: 'call'; name: string; args: Expression[]; at: number }
  | { kind: 'list'; items: Expression[] }
  | { kind: 'dict'; entries: [string, Expression][] }
  | { kind: 'not' | 'minus'; of: Expression }
  | { kind: 'binary'; sign: Binary; left: Expression; right: Expression }
  | { kind: 'logic'; sign: Logic; left: Expression; right: Expression }
  | { kind: 'choice'; if: Expression; then: Expression; else: Expression };

const mostDepth = 64;
const mostParts = 2000;

const words = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['===', '=='],
  ['!==', '!='],
]);
const constants = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Weakest first; operators of one row are evaluated from left to right. */
const rows: readonly (readonly (Binary | Logic)[])[] = [
  ['??'],
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];
/** `not` binds weaker than comparisons, `!` stronger than every operator. */
const notLevel = 3;
const isLogic = (sign: Binary | Logic): sign is Logic => sign === '&&' || sign === '||' || sign === '??';

/** Parses an expression into a tree with a parser of its own: no part of it is ever run as JavaScript. */
export function parseExpression(source: string): Expression {
  const tokens = tokensOf(source);
  let place = 0;
  let parts = 0;
  let depth = 0;

  function peek(): Token {
    const token = tokens[place];
    if (!token) throw new ExpressionError('The expression ends too early', source.length);
    return token;
  }
  function next(): Token {
    const token = peek();
    place++;
    return token;
  }
  const signOf = ({ kind, text }: Token) =>
    kind === 'sign' || kind === 'name' ? (words.get(text) ?? text) : undefined;
  const nextOf = (signs: readonly (Binary | Logic)[]) => {
    const found = signOf(peek());
    return signs.find((sign) => sign === found);
  };
  const unexpected = ({ text, at }: Token) => new ExpressionError(`Unexpected ${text}`, at);
  function take(text: string): boolean {
    const token = peek();
    if (token.kind !== 'sign' || token.text !== text) return false;
    place++;
    return true;
  }
  function need(text: string): void {
    if (!take(text)) throw new ExpressionError(`${text} is expected, not ${peek().text}`, peek().at);
  }

  function made<E extends Expression>(expression: E): E {
    if (++parts > mostParts) throw new ExpressionError(`An expression has at most ${mostParts} parts`);
    return expression;
  }

  function deeper<T>(read: () => T): T {
    if (++depth > mostDepth) throw new ExpressionError(`An expression is at most ${mostDepth} levels deep`, peek().at);
    const result = read();
    depth--;
    return result;
  }

  const choice = (): Expression =>
    deeper(() => {
      const condition = row(0);
      if (!take('?')) return condition;
      const then = choice();
      need(':');
      return made({ kind: 'choice', if: condition, then, else: choice() });
    });

  function row(level: number): Expression {
    const signs = rows[level];
    if (!signs) return unary();
    if (level === notLevel && peek().kind === 'name' && peek().text === 'not') {
      place++;
      return deeper(() => made({ kind: 'not', of: row(level) }));
    }
    let left = row(level + 1);
    for (let sign = nextOf(signs); sign; sign = nextOf(signs)) {
      place++;
      const right = row(level + 1);
      left = made(isLogic(sign) ? { kind: 'logic', sign, left, right } : { kind: 'binary', sign, left, right });
    }
    return left;
  }

  const unary = (): Expression =>
    deeper(() => {
      if (take('!')) return made({ kind: 'not', of: unary() });
      if (take('-')) return made({ kind: 'minus', of: unary() });
      return after(primary());
    });

  function after(start: Expression): Expression {
    let of = start;
    for (;;) {
      if (take('.')) {
        const { kind, text, at } = peek();
        if (kind !== 'name') throw new ExpressionError('A name is expected after the dot', at);
        place++;
        of = made({ kind: 'member', of, key: made({ kind: 'value', value: text }) });
      } else if (take('[')) {
        const key = choice();
        need(']');
        of = made({ kind: 'member', of, key });
      } else return of;
    }
  }

  function listUntil(end: string): Expression[] {
    const items: Expression[] = [];
    while (!take(end)) {
      if (items.length) need(',');
      if (items.length && take(end)) break;
      items.push(choice());
    }
    return items;
  }

  function dict(): Expression {
    const entries: [string, Expression][] = [];
    while (!take('}')) {
      if (entries.length) need(',');
      if (entries.length && take('}')) break;
      const key = next();
      if (key.kind !== 'name' && key.kind !== 'text') throw unexpected(key);
      need(':');
      entries.push([String(key.value ?? key.text), choice()]);
    }
    return made({ kind: 'dict', entries });
  }

  function primary(): Expression {
    const token = next();
    if (token.kind === 'number' || token.kind === 'text')
      return made({ kind: 'value', value: token.value ?? token.text });
    if (token.kind === 'name') {
      const constant = constants.get(token.text);
      if (constant !== undefined) return made({ kind: 'value', value: constant });
      if (take('(')) return made({ kind: 'call', name: token.text, args: listUntil(')'), at: token.at });
      if (signOf(token) !== token.text || token.text === 'in') throw unexpected(token);
      return made({ kind: 'name', name: token.text });
    }
    if (token.kind === 'sign' && token.text === '(') {
      const inside = choice();
      need(')');
      return inside;
    }
    if (token.kind === 'sign' && token.text === '[') return made({ kind: 'list', items: listUntil(']') });
    if (token.kind === 'sign' && token.text === '{') return dict();
    throw unexpected(token);
  }

  const tree = choice();
  if (peek().kind !== 'end') throw unexpected(peek());
  return tree;
}
