import { ExpressionError } from './tokens.ts';

/** Counts what an expression does and makes; throws when it is too much. */
export interface Budget {
  spend(steps: number): void;
}

type Value = unknown;

export const isDict = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const longestText = 1_000_000;

/** A text that is not too long; making one costs by its length. */
export function text(value: string, budget: Budget): string {
  if (value.length > longestText) throw new ExpressionError(`A text has at most ${longestText} characters`);
  budget.spend(value.length >> 6);
  return value;
}

/** A value as people read it: texts and numbers as they are, nothing for null, the rest as JSON. */
export const shown = (value: Value): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

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

const compare = (a: Value, b: Value): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : shown(a) < shown(b) ? -1 : shown(a) > shown(b) ? 1 : 0;

type Call = (args: Value[], budget: Budget) => Value;

const rounded =
  (how: (value: number) => number, what: string): Call =>
  ([value, digits]) => {
    const scale = 10 ** Math.min(15, Math.max(0, digits === undefined ? 0 : asNumber(digits, what)));
    return how(asNumber(value, what) * scale) / scale;
  };

/** What expressions can call. Every one is pure: no clock, no chance, nothing outside of its arguments. */
export const functions: Record<string, Call> = {
  length: ([value]) => sizeOf(value),
  empty: ([value]) => sizeOf(value) === 0,
  upper: ([value], budget) => text(shown(value), budget).toUpperCase(),
  lower: ([value], budget) => text(shown(value), budget).toLowerCase(),
  trim: ([value], budget) => text(shown(value), budget).trim(),
  text: ([value], budget) => text(shown(value), budget),
  number: ([value]) => asNumber(value, 'number'),
  json: ([value], budget) => text(JSON.stringify(value ?? null), budget),
  parse: ([value], budget) => {
    try {
      return JSON.parse(text(shown(value), budget));
    } catch {
      throw new ExpressionError('parse needs a text that is JSON');
    }
  },
  contains: ([where, what], budget) => {
    budget.spend(sizeOf(where) >> 3);
    return Array.isArray(where)
      ? where.some((item) => compare(item, what) === 0)
      : isDict(where)
        ? Object.hasOwn(where, shown(what))
        : shown(where).includes(shown(what));
  },
  starts_with: ([where, what]) => shown(where).startsWith(shown(what)),
  ends_with: ([where, what]) => shown(where).endsWith(shown(what)),
  replace: ([where, what, by], budget) => {
    const [all, one] = [text(shown(where), budget), shown(what)];
    if (one === '') return all;
    const pieces = all.split(one);
    // Measured before it is made.
    if (all.length + (pieces.length - 1) * (shown(by).length - one.length) > longestText)
      throw new ExpressionError(`A text has at most ${longestText} characters`);
    return text(pieces.join(shown(by)), budget);
  },
  split: ([where, by], budget) => {
    const pieces = text(shown(where), budget).split(shown(by));
    budget.spend(pieces.length);
    return pieces;
  },
  join: ([list, by], budget) => {
    const pieces = asList(list, 'join').map(shown);
    budget.spend(pieces.length);
    const length = pieces.reduce((sum, piece) => sum + piece.length + shown(by).length, 0);
    if (length > longestText) throw new ExpressionError(`A text has at most ${longestText} characters`);
    return text(pieces.join(shown(by)), budget);
  },
  slice: ([value, from, to], budget) => {
    const [start, end] = [asNumber(from ?? 0, 'slice'), to === undefined ? undefined : asNumber(to, 'slice')];
    const cut = Array.isArray(value) ? value.slice(start, end) : text(shown(value), budget).slice(start, end);
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
  get: ([value, key, otherwise]) =>
    (isDict(value) && Object.hasOwn(value, shown(key)) ? value[shown(key)] : undefined) ?? otherwise ?? null,
  concat: (lists, budget) => {
    const all = lists.flatMap((list) => asList(list, 'concat'));
    budget.spend(all.length);
    return all;
  },
  unique: ([list], budget) => {
    const items = asList(list, 'unique');
    budget.spend(items.length * 4);
    return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  },
  sort: ([list], budget) => {
    const items = asList(list, 'sort');
    budget.spend(items.length * 16);
    return items.toSorted(compare);
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

/** Read over a list, with `item` and `index` as names in their second argument. */
export const overLists = new Set(['map', 'filter', 'any', 'all', 'find']);
