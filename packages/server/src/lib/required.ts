/** The value itself; fails where it is missing. For entries that the surrounding code guarantees to exist. */
export function required<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('An entry that must exist is missing');
  return value;
}
