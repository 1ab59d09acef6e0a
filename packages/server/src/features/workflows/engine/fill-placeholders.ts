import { shown } from '@atrium/contract/expressions/functions.ts';
import { markCovered } from '../../../lib/text/covered-text.ts';
import { breakSecretHandles, findSecretHandles } from '../../variable-templates/service.ts';
import { NodeFailure } from '../nodes/node-failure.ts';

type Values = Readonly<Record<string, unknown>>;

/** The text that replaces a placeholder, and where the placeholder ends. */
interface Filled {
  value: string;
  end: number;
}

/** How many ends of a key are tried: a key may end with a bracket itself. */
const mostEnds = 3;
const longestKey = 500;
/** Limits growth: a value can be filled in many times, and the result again in the next step. */
const longest = 10_000_000;

/** A part of a value by its path, `order.lines.0`; undefined when there is none. */
function partOf(value: unknown, names: readonly string[]): unknown {
  let part = value;
  for (const name of names) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
    part = (part as Values)[name];
  }
  return part;
}

/** The value of a key: the value of that exact name, else a part of the value whose name the key begins with. */
function standsFor(key: string, values: Values): unknown {
  if (Object.hasOwn(values, key)) return values[key] ?? null;
  for (let dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
    const name = key.slice(0, dot);
    if (Object.hasOwn(values, name)) return partOf(values[name], key.slice(dot + 1).split('.'));
  }
  return undefined;
}

/** The key that begins at `from`, if there is a value for it. */
function keyAt(text: string, from: number, values: Values, as: (value: unknown) => string): Filled | undefined {
  let end = from;
  for (let tries = 0; tries < mostEnds; tries++) {
    end = text.indexOf('))', end);
    if (end < 0 || end - from > longestKey) return undefined;
    const value = standsFor(text.slice(from, end).trim(), values);
    if (value !== undefined) return { value: breakSecretHandles(as(value)), end: end + 2 };
    end++;
  }
  return undefined;
}

/** The value of `{{name}}`, if there is such a variable. Handles of secrets stay. */
function variableAt(text: string, from: number, variables: ReadonlyMap<string, string>): Filled | undefined {
  const end = text.indexOf('}}', from);
  if (end < 0 || end - from > longestKey) return undefined;
  const value = variables.get(text.slice(from, end).trim());
  return value === undefined ? undefined : { value, end: end + 2 };
}

// Matches one bracket that another follows: of three brackets the last two may be the placeholder.
const holes = /\((?=\()|\{(?=\{)/g;

/**
 * Fills ((Key)), ((Key.part)) and {{variable}} into a text in one pass: values are not read again, so no value can
 * add a placeholder. Placeholders without a value stay. Values cannot form the handle of a secret either, alone or
 * side by side: only handles that stand in the template, or in a variable, stay handles. `marked`: values are marked, for a
 * prompt whose other text is the operator's.
 */
export function fillTemplate(
  text: string,
  values: Values,
  variables: ReadonlyMap<string, string>,
  as: (value: unknown) => string = shown,
  marked = false,
): string {
  let made = '';
  let done = 0;
  /** Where values begin and end in the result. */
  const brought: [number, number][] = [];
  for (const { 0: sign, index } of text.matchAll(holes)) {
    if (index < done) continue;
    const inside = index + 2;
    const found = sign === '(' ? keyAt(text, inside, values, as) : variableAt(text, inside, variables);
    if (!found) continue;
    made += text.slice(done, index);
    const value = marked && sign === '(' ? markCovered(found.value) : found.value;
    if (sign === '(') brought.push([made.length, made.length + value.length]);
    made += value;
    if (made.length > longest)
      throw new NodeFailure('text_too_long', `A text has at most ${longest} characters`, { passing: false });
    done = found.end;
  }
  made += text.slice(done);
  return brought.length && made.includes('{{') ? withoutMade(made, brought) : made;
}

/** Breaks the handles that values have formed. */
function withoutMade(made: string, brought: readonly [number, number][]): string {
  let whole = '';
  let done = 0;
  let next = 0;
  for (const [from, to] of findSecretHandles(made)) {
    while ((brought[next]?.[1] ?? made.length) <= from) next++;
    if ((brought[next]?.[0] ?? made.length) >= to) continue;
    whole += `${made.slice(done, from)}{ `;
    done = from + 1;
  }
  return whole + made.slice(done);
}
