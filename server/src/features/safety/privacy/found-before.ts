import { createHash } from 'node:crypto';
import type { Find, Found } from './hide-text.ts';

/** About 10 MB when full. */
const mostTexts = 20_000;
/** Shorter texts are found faster than they are looked up. */
const leastLength = 40;

/**
 * Remembers what was found in a text. A conversation is told to the model from its beginning with every message; only
 * what is new in it is looked through. Kept by digest: the texts themselves are not held.
 */
export function rememberFound(find: Find): Find {
  const known = new Map<string, Promise<readonly Found[]>>();
  return (text, entities) => {
    if (text.length < leastLength) return find(text, entities);
    const digest = createHash('sha256').update(entities.join()).update('\0').update(text).digest('base64');
    const before = known.get(digest);
    // Taken out and put back, so that the oldest is always the first.
    known.delete(digest);
    const found = before ?? find(text, entities);
    known.set(digest, found);
    if (!before) {
      found.catch(() => known.delete(digest));
      const [oldest] = known.keys();
      if (known.size > mostTexts && oldest !== undefined) known.delete(oldest);
    }
    return found;
  };
}
