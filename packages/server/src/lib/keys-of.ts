/** The keys of an object that has no others than its type says, as tables of constants do. */
export const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T & string)[];

/** Its keys with their values. */
export const entriesOf = <T extends object>(object: T): [keyof T & string, T[keyof T & string]][] =>
  keysOf(object).map((key) => [key, object[key]]);
