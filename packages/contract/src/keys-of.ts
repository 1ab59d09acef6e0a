/** The keys of an object that has no others than its type says, as tables of constants do. */
export const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T & string)[];

/** Its keys with their values. */
export const entriesOf = <T extends object>(object: T): [keyof T & string, T[keyof T & string]][] =>
  keysOf(object).map((key) => [key, object[key]]);

/** An object with a value for each of these keys. */
export const objectOf = <K extends string, V>(keys: readonly K[], valueFor: (key: K) => V) =>
  Object.fromEntries(keys.map((key) => [key, valueFor(key)])) as Record<K, V>;

/** The value that stands in an object under a key; undefined when there is none. */
export const valueUnder = (object: object, key: PropertyKey): unknown => Reflect.get(object, key);
