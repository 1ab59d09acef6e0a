import { shown } from '../../lib/expressions/functions.ts';
import { withoutHandles } from '../variables/templates.ts';

type Values = Readonly<Record<string, unknown>>;

/** What stands in for a hole, and where the text goes on after it. */
interface Filled {
  value: string;
  end: number;
}

/** How many ends of one key are tried: a key may itself end with a bracket. */
const mostEnds = 3;
const longestKey = 500;

/** The key that begins at `from`, if there is a value for it. */
function keyAt(text: string, from: number, values: Values): Filled | undefined {
  let end = from;
  for (let tries = 0; tries < mostEnds; tries++) {
    end = text.indexOf('))', end);
    if (end < 0 || end - from > longestKey) return undefined;
    const key = text.slice(from, end).trim();
    if (Object.hasOwn(values, key)) return { value: withoutHandles(shown(values[key])), end: end + 2 };
    end++;
  }
  return undefined;
}

/** `{{name}}`, if there is such a variable. The handle of a secret stays what it is. */
function variableAt(text: string, from: number, variables: ReadonlyMap<string, string>): Filled | undefined {
  const end = text.indexOf('}}', from);
  if (end < 0 || end - from > longestKey) return undefined;
  const value = variables.get(text.slice(from, end).trim());
  return value === undefined ? undefined : { value, end: end + 2 };
}

// One sign, if another follows: of three brackets the last two may be the hole.
const holes = /\((?=\()|\{(?=\{)/g;

/**
 * A text with ((Key)) and {{variable}} filled in, in one pass: what is filled in is never read again, so no value can
 * bring another hole along, nor become the handle of a secret. What nobody has a value for stays as it is.
 */
export function fillTemplate(text: string, values: Values, variables: ReadonlyMap<string, string>): string {
  let made = '';
  let done = 0;
  for (const { 0: sign, index } of text.matchAll(holes)) {
    if (index < done) continue;
    const inside = index + 2;
    const found = sign === '(' ? keyAt(text, inside, values) : variableAt(text, inside, variables);
    if (!found) continue;
    made += text.slice(done, index) + found.value;
    done = found.end;
  }
  return made + text.slice(done);
}
