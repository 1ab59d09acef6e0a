/** Far below zero, so that no number of keys found elsewhere brings the sum back to a plausible count. */
const FAULTY = -1_000_000_000;

/**
 * The number of keys in a parsed value, negative when it holds a number that is not finite. Recursion is bounded,
 * since the nesting was counted before. Every request passes here, hence `for in` and one function: the engine keeps
 * the keys of objects of one shape, and Object.keys would copy them.
 */
export function countKeys(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : FAULTY;
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const item: unknown = value[at];
      if (typeof item === 'object' || typeof item === 'number') count += countKeys(item);
    }
    return count;
  }
  const record = value as Record<string, unknown>;
  for (const key in record) {
    count++;
    const item = record[key];
    if (typeof item === 'object' || typeof item === 'number') count += countKeys(item);
  }
  return count;
}
