import { invalidFilter } from './scim-error.ts';

/** One condition of a filter: the attribute in lower case must have this value. */
export interface Condition {
  attribute: string;
  value: string;
}

/** More than directories send; each costs a condition of SQL. */
const mostConditions = 10;

const condition =
  /^\s*([a-z$][\w$.:-]*)(?:\[([^\]"]*(?:"(?:[^"\\]|\\.)*"[^\]"]*)*)\](\.\w+)?)?\s+([a-z]+)\s+("(?:[^"\\]|\\.)*"|true|false)/i;
const and = /^\s+and\s+/i;

function readValue(text: string): string {
  if (!text.startsWith('"')) return text.toLowerCase();
  try {
    const value = String(JSON.parse(text));
    if (!value.includes('\0')) return value;
  } catch {
    // Refused below, as a value with NUL is.
  }
  throw invalidFilter('A value of the filter is not a JSON string without NUL');
}

/**
 * Reads `a eq "x" and b eq "y"`. `emails[type eq "work"].value` is read as `emails.value`: there is one address.
 * Any other operator is refused rather than ignored, since it would match too much.
 */
export function readFilter(text: string | undefined, known: readonly string[]): Condition[] {
  if (text === undefined || text.trim() === '') return [];
  const conditions: Condition[] = [];
  let rest = text;
  for (;;) {
    const match = condition.exec(rest);
    if (!match) throw invalidFilter('A filter is `attribute eq "value"`, several joined with `and`');
    const [whole, name = '', , sub = '', operator = '', value = ''] = match;
    const attribute = `${name.replace(/^urn:.*:/i, '')}${sub}`.toLowerCase();
    if (operator.toLowerCase() !== 'eq') throw invalidFilter(`The operator ${operator.slice(0, 20)} is not supported`);
    if (!known.includes(attribute)) throw invalidFilter(`There is no filter by ${attribute.slice(0, 100)}`);
    conditions.push({ attribute, value: readValue(value) });
    if (conditions.length > mostConditions) throw invalidFilter('The filter has too many conditions');
    rest = rest.slice(whole.length);
    if (rest.trim() === '') return conditions;
    const joined = and.exec(rest);
    if (!joined) throw invalidFilter('Conditions of a filter are joined with `and`');
    rest = rest.slice(joined[0].length);
  }
}
