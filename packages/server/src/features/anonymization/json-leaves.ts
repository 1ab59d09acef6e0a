import { unescapeJson } from './unescape-json.ts';

/** A string, a number or a field name in a JSON text. `start` and `end` exclude the quotes. */
export interface Leaf {
  kind: 'string' | 'number';
  start: number;
  end: number;
  /** The field that this is the value of. */
  field: string | undefined;
  /** Whether this is the name of a field. */
  naming: boolean;
}

interface Level {
  list: boolean;
  field: string | undefined;
  /** Whether the next string is a field name. */
  naming: boolean;
}

/** The end of the string that starts after a quote. */
function endOfString(json: string, from: number): number {
  for (let at = from; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 34) return at;
  }
  return json.length;
}

const number = /-?\d[\d.eE+-]*/y;

/**
 * All strings and numbers in a JSON text with their positions. The text must be JSON. It is not parsed and serialized
 * again, which would round long numbers and lose repeated fields.
 */
export function* jsonLeaves(json: string): Generator<Leaf> {
  const levels: Level[] = [];
  for (let at = 0; at < json.length; at++) {
    const sign = json.charAt(at);
    const level = levels.at(-1);
    if (sign === '{') levels.push({ list: false, field: undefined, naming: true });
    else if (sign === '[') levels.push({ list: true, field: level?.field, naming: false });
    else if (sign === '}' || sign === ']') levels.pop();
    else if (sign === ',' && level) level.naming = !level.list;
    else if (sign === ':' && level) level.naming = false;
    else if (sign === '"') {
      const start = at + 1;
      at = endOfString(json, start);
      const named = level?.naming === true;
      yield { kind: 'string', start, end: at, field: named ? undefined : level?.field, naming: named };
      const raw = json.slice(start, at);
      if (named) level.field = unescapeJson(raw)?.text ?? raw;
    } else if (sign === '-' || (sign >= '0' && sign <= '9')) {
      number.lastIndex = at;
      const [literal] = number.exec(json) ?? [sign];
      yield { kind: 'number', start: at, end: at + literal.length, field: level?.field, naming: false };
      at += literal.length - 1;
    }
  }
}
