const hidden = '********';

/** A copy of a plain value in which these texts are covered, wherever they stand. Shorter ones are left: they are words. */
export function coverTexts<T>(value: T, secrets: readonly (string | null | undefined)[]): T {
  const texts = secrets.filter((text): text is string => typeof text === 'string' && text.length >= 6);
  const cover = (inner: unknown): unknown => {
    if (typeof inner === 'string') return texts.reduce((text, secret) => text.replaceAll(secret, hidden), inner);
    if (Array.isArray(inner)) return inner.map(cover);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [cover(key), cover(item)]));
  };
  return cover(value) as T;
}
