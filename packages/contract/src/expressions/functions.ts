import { ExpressionError } from './tokens.ts';

/** Counts the steps and the output of an expression; throws when a limit is reached. */
export interface Budget {
  spend(steps: number): void;
}

type Value = unknown;

export const isDict = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const longestText = 1_000_000;

/** Checks the length of a text and counts it as output. */
export function text(value: string, budget: Budget): string {
  if (value.length > longestText) throw new ExpressionError(`A text has at most ${longestText} characters`);
  budget.spend(value.length >> 6);
  return value;
}

/** A value as text: texts and numbers as they are, null as an empty text, others as JSON. */
export const shown = (value: Value): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

const deepest = 500;

/** Counts the length of a value as JSON before it is written: a list may contain one large value a thousand times. */
export function chargeJsonSize(value: Value, budget: Budget, depth = 0): void {
  if (typeof value === 'string') budget.spend(value.length >> 6);
  if (typeof value !== 'object' || value === null) return;
  if (depth > deepest) throw new ExpressionError(`A value is at most ${deepest} levels deep`);
  const list = Array.isArray(value) ? value : Object.values(value);
  budget.spend(1 + (list.length >> 2));
  for (const item of list) chargeJsonSize(item, budget, depth + 1);
}

/** A value as text; its length is counted if it has to be written as JSON. */
export function written(value: Value, budget: Budget): string {
  if (typeof value === 'object') chargeJsonSize(value, budget);
  return shown(value);
}

function asNumber(value: Value, what: string): number {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof read !== 'number' || !Number.isFinite(read)) throw new ExpressionError(`${what} needs a number`);
  return read;
}

function asList(value: Value, what: string): Value[] {
  if (!Array.isArray(value)) throw new ExpressionError(`${what} needs a list`);
  return value;
}

const sizeOf = (value: Value): number => {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return isDict(value) ? Object.keys(value).length : value === null || value === undefined ? 0 : 1;
};

/** A value with its text, which is written once for all comparisons. */
const legible = (value: Value, budget: Budget) => ({ value, text: written(value, budget) });
type Legible = ReturnType<typeof legible>;

const compare = (a: Legible, b: Legible): number =>
  typeof a.value === 'number' && typeof b.value === 'number'
    ? a.value - b.value
    : a.text < b.text
      ? -1
      : Number(a.text > b.text);

type Call = (args: Value[], budget: Budget) => Value;

const rounded =
  (how: (value: number) => number, what: string): Call =>
  ([value, digits]) => {
    const scale = 10 ** Math.min(15, Math.max(0, digits === undefined ? 0 : asNumber(digits, what)));
    return how(asNumber(value, what) * scale) / scale;
  };

/** The functions of expressions. All are pure: no clock, no randomness, nothing but their arguments. */
export const functions: Record<string, Call> = {
  length: ([value]) => sizeOf(value),
  empty: ([value]) => sizeOf(value) === 0,
  upper: ([value], budget) => text(written(value, budget), budget).toUpperCase(),
  lower: ([value], budget) => text(written(value, budget), budget).toLowerCase(),
  trim: ([value], budget) => text(written(value, budget), budget).trim(),
  text: ([value], budget) => text(written(value, budget), budget),
  number: ([value]) => asNumber(value, 'number'),
  json: ([value], budget) => {
    chargeJsonSize(value, budget);
    return text(JSON.stringify(value ?? null), budget);
  },
  parse: ([value], budget) => {
    try {
      return JSON.parse(text(written(value, budget), budget));
    } catch {
      throw new ExpressionError('parse needs a text that is JSON');
    }
  },
  contains: ([where, what], budget) => {
    budget.spend(sizeOf(where) >> 3);
    const wanted = legible(what, budget);
    return Array.isArray(where)
      ? where.some((item) => compare(legible(item, budget), wanted) === 0)
      : isDict(where)
        ? Object.hasOwn(where, wanted.text)
        : shown(where).includes(wanted.text);
  },
  starts_with: ([where, what], budget) => written(where, budget).startsWith(written(what, budget)),
  ends_with: ([where, what], budget) => written(where, budget).endsWith(written(what, budget)),
  replace: ([where, what, by], budget) => {
    const [all, one, other] = [text(written(where, budget), budget), written(what, budget), written(by, budget)];
    if (one === '') return all;
    const pieces = all.split(one);
    // The length is checked before the text is made.
    if (all.length + (pieces.length - 1) * (other.length - one.length) > longestText)
      throw new ExpressionError(`A text has at most ${longestText} characters`);
    return text(pieces.join(other), budget);
  },
  split: ([where, by], budget) => {
    const pieces = text(written(where, budget), budget).split(written(by, budget));
    budget.spend(pieces.length);
    return pieces;
  },
  join: ([list, by], budget) => {
    const pieces = asList(list, 'join').map((item) => written(item, budget));
    budget.spend(pieces.length);
    const between = written(by, budget);
    const length = pieces.reduce((sum, piece) => sum + piece.length + between.length, 0);
    if (length > longestText) throw new ExpressionError(`A text has at most ${longestText} characters`);
    return text(pieces.join(between), budget);
  },
  slice: ([value, from, to], budget) => {
    const [start, end] = [asNumber(from ?? 0, 'slice'), to === undefined ? undefined : asNumber(to, 'slice')];
    const cut = Array.isArray(value) ? value.slice(start, end) : text(written(value, budget), budget).slice(start, end);
    budget.spend(Array.isArray(cut) ? cut.length : 1);
    return cut;
  },
  first: ([list]) => asList(list, 'first')[0] ?? null,
  last: ([list]) => asList(list, 'last').at(-1) ?? null,
  keys: ([value], budget) => {
    const keys = isDict(value) ? Object.keys(value) : [];
    budget.spend(keys.length);
    return keys;
  },
  values: ([value], budget) => {
    const values = isDict(value) ? Object.values(value) : [];
    budget.spend(values.length);
    return values;
  },
  get: ([value, key, otherwise], budget) => {
    const name = written(key, budget);
    return (isDict(value) && Object.hasOwn(value, name) ? value[name] : undefined) ?? otherwise ?? null;
  },
  concat: (lists, budget) => {
    const all = lists.flatMap((list) => asList(list, 'concat'));
    budget.spend(all.length);
    return all;
  },
  unique: ([list], budget) => {
    const items = asList(list, 'unique');
    budget.spend(items.length * 4);
    for (const item of items) chargeJsonSize(item, budget);
    return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  },
  sort: ([list], budget) => {
    const items = asList(list, 'sort');
    budget.spend(items.length * 16);
    return items
      .map((item) => legible(item, budget))
      .sort(compare)
      .map(({ value }) => value);
  },
  reverse: ([list], budget) => {
    budget.spend(sizeOf(list));
    return asList(list, 'reverse').toReversed();
  },
  sum: ([list], budget) => {
    budget.spend(sizeOf(list));
    return asList(list, 'sum').reduce<number>((sum, item) => sum + asNumber(item, 'sum'), 0);
  },
  min: (args, budget) => {
    const items = args.length === 1 ? asList(args[0], 'min') : args;
    budget.spend(items.length);
    return items.reduce<number>((least, item) => Math.min(least, asNumber(item, 'min')), Number.MAX_VALUE);
  },
  max: (args, budget) => {
    const items = args.length === 1 ? asList(args[0], 'max') : args;
    budget.spend(items.length);
    return items.reduce<number>((most, item) => Math.max(most, asNumber(item, 'max')), -Number.MAX_VALUE);
  },
  abs: ([value]) => Math.abs(asNumber(value, 'abs')),
  round: rounded(Math.round, 'round'),
  floor: rounded(Math.floor, 'floor'),
  ceil: rounded(Math.ceil, 'ceil'),
  type: ([value]) =>
    value === null || value === undefined
      ? 'null'
      : Array.isArray(value)
        ? 'list'
        : isDict(value)
          ? 'dict'
          : typeof value,
  range: ([count], budget) => {
    const most = Math.max(0, Math.floor(asNumber(count, 'range')));
    budget.spend(most);
    return Array.from({ length: most }, (_, index) => index);
  },
};

/** Functions over a list; their second argument is an expression that can use `item` and `index`. */
export const listFunctions = new Set(['map', 'filter', 'any', 'all', 'find']);
