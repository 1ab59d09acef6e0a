/** A copy of an object without some of its keys. */
export function omit<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Omit<T, K> {
  // Not by `delete`, after which an object is slow to read and to turn into JSON.
  const copy: Partial<T> = {};
  for (const key of Object.keys(object) as K[]) if (!keys.includes(key)) copy[key] = object[key];
  return copy as Omit<T, K>;
}
