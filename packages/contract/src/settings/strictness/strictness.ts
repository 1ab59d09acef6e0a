import { isSameJson } from '../../same-json.ts';

/** The direction in which a setting restricts an agent more. */
export interface Strictness<T> {
  /** The stricter direction in words, for the documentation and for refusals. */
  direction: string;
  /** Whether `after` restricts the agent at least as much as `before`. Equal values do. */
  isAsStrict(before: T, after: T): boolean;
  /** The value that restricts as much as both. */
  tighten(own: T, bound: T): T;
}

export function strictness<T>(
  direction: string,
  isAsStrict: (before: T, after: T) => boolean,
  tighten: (own: T, bound: T) => T = (own, bound) => (isAsStrict(bound, own) ? own : bound),
): Strictness<T> {
  return {
    direction,
    isAsStrict: (before, after) => isSameJson(before, after) || isAsStrict(before, after),
    tighten: (own, bound) => (isSameJson(own, bound) ? own : tighten(own, bound)),
  };
}

export const whenOn = strictness<boolean>('on', (_, after) => after);
export const whenOff = strictness<boolean>('off', (_, after) => !after);
export const whenLower = strictness<number>('lower', (before, after) => after <= before);

/** Zero switches the limit off, so it is the loosest value. */
export const whenLowerButNotZero = strictness<number>(
  'lower, but not 0, which is off',
  (before, after) => after > 0 && (before === 0 || after <= before),
);

/** Values from the loosest to the strictest. */
export const whenLater = <T extends string>(...order: readonly T[]) =>
  strictness<T>(`from ${order.join(' to ')}`, (before, after) => order.indexOf(after) >= order.indexOf(before));

/** A list from which entries can be taken away, and which never becomes empty. */
export const whenFewer = strictness<string[]>(
  'some of the same entries, at least one',
  (before, after) => after.length > 0 && after.every((entry) => before.includes(entry)),
  (own, bound) => {
    const both = own.filter((entry) => bound.includes(entry));
    return both.length ? both : bound;
  },
);

/** A list of types of which an empty one allows all. */
export const whenFewerAndNotEmpty = strictness<string[]>(
  'some of the same entries; an empty list allows all',
  (before, after) => after.length > 0 && (before.length === 0 || after.every((entry) => before.includes(entry))),
);
