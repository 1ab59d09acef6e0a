import * as z from 'zod';

export const approvalOperators = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'not_starts_with',
  'one_of',
  'not_one_of',
  'greater_than',
  'less_than',
  'present',
] as const;

const rule = z.object({ argument: z.string().min(1), operator: z.enum(approvalOperators), value: z.unknown() });
type Rule = z.output<typeof rule>;

/** The argument by its path, `rows.0.amount`. Undefined when the call has none such. */
function valueAt(input: unknown, path: string): unknown {
  let value = input;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const folded = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).toLowerCase();
const listed = (value: unknown, among: unknown) => Array.isArray(among) && among.some((one) => same(value, one));
const holds = (value: unknown, part: unknown) =>
  Array.isArray(value) ? value.some((one) => same(one, part)) : folded(value).includes(folded(part));

/** A value that is not a number fits: the author of the rule wants approvals for numbers beyond a bound. */
function beyond(value: unknown, bound: unknown, fits: (value: number, bound: number) => boolean): boolean {
  const [a, b] = [Number(value), Number(bound)];
  return Number.isNaN(a) || Number.isNaN(b) || fits(a, b);
}

const operators: Record<Rule['operator'], (value: unknown, bound: unknown) => boolean> = {
  equals: same,
  not_equals: (value, other) => !same(value, other),
  contains: holds,
  not_contains: (value, part) => !holds(value, part),
  starts_with: (value, part) => folded(value).startsWith(folded(part)),
  not_starts_with: (value, part) => !folded(value).startsWith(folded(part)),
  one_of: listed,
  not_one_of: (value, among) => !listed(value, among),
  greater_than: (value, bound) => beyond(value, bound, (a, b) => a > b),
  less_than: (value, bound) => beyond(value, bound, (a, b) => a < b),
  present: () => true,
};

/** Rules that say what must not be there fit a call without the argument; all others need it. */
function fits({ argument, operator, value: bound }: Rule, input: unknown): boolean {
  const value = valueAt(input, argument);
  return value === undefined ? operator.startsWith('not_') : operators[operator](value, bound);
}

/**
 * Whether the settings entry of a tool requires approval for a call with this input: always (`requires_approval`), or
 * when one of its `approval_rules` matches. An unreadable rule always requires approval: its author wanted to restrict
 * something.
 */
export function entryAsks(
  entry: Readonly<Record<string, unknown>> | undefined,
  input: unknown,
): 'requires_approval' | 'rule' | null {
  if (entry?.['requires_approval'] === true) return 'requires_approval';
  const rules = entry?.['approval_rules'];
  if (rules === undefined || rules === null) return null;
  const read = z.array(rule).safeParse(rules);
  return !read.success || read.data.some((one) => fits(one, input)) ? 'rule' : null;
}
