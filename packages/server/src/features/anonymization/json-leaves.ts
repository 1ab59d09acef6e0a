import { unescapeJson } from './unescape-json.ts';

/** A text, a number or the name of a field in a JSON text. `start` and `end` leave out the quotes. */
export interface Leaf {
  kind: 'string' | 'number';
  start: number;
  end: number;
  /** The field it is the value of. */
  field: string | undefined;
}

interface Level {
  list: boolean;
  field: string | undefined;
  /** Whether the next text is the name of a field. */
  naming: boolean;
}

/** Where the text that begins after a quote ends. */
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
 * Everything in a JSON text that can hold a value, where it stands. The text must be JSON. It is not parsed and written
 * anew: that would round long numbers and lose fields whose names are repeated.
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
      yield { kind: 'string', start, end: at, field: named ? undefined : level?.field };
      const raw = json.slice(start, at);
      if (named) level.field = unescapeJson(raw)?.text ?? raw;
    } else if (sign === '-' || (sign >= '0' && sign <= '9')) {
      number.lastIndex = at;
      const [literal] = number.exec(json) ?? [sign];
      yield { kind: 'number', start: at, end: at + literal.length, field: level?.field };
      at += literal.length - 1;
    }
  }
}
