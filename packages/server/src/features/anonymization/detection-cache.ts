import { createHash } from 'node:crypto';
import type { PrivateSpan } from './replace-private-spans.ts';

/** Looks through a text, unless what is in it is known. `key` is the text and how it is looked through. */
export type DetectionCache = (
  key: readonly string[],
  work: () => Promise<readonly PrivateSpan[]>,
) => Promise<readonly PrivateSpan[]>;

/** Finds that are remembered, and for each text as much as a few of them. About 20 MB when full. */
const mostFound = 200_000;
const eachText = 5;

/**
 * Remembers what was found in a text. A conversation is told to the model from its beginning with every message; only
 * what is new in it is looked through. Kept by digest: the texts themselves are not held.
 */
export function makeDetectionCache(): DetectionCache {
  const known = new Map<string, { found: Promise<readonly PrivateSpan[]>; weight: number }>();
  let full = 0;

  function forget(digest: string): void {
    full -= known.get(digest)?.weight ?? 0;
    known.delete(digest);
  }

  return (key, work) => {
    const hash = createHash('sha256');
    for (const part of key) hash.update(`${part.length}\0`).update(part);
    const digest = hash.digest('base64');
    const before = known.get(digest);
    if (before) {
      // Taken out and put back, so that the oldest is always the first.
      known.delete(digest);
      known.set(digest, before);
      return before.found;
    }
    const entry = { found: work(), weight: eachText };
    known.set(digest, entry);
    full += eachText;
    entry.found.then(
      ({ length }) => {
        if (known.get(digest) !== entry) return;
        entry.weight += length;
        full += length;
        for (const [oldest] of known) {
          if (full <= mostFound) break;
          forget(oldest);
        }
      },
      () => forget(digest),
    );
    return entry.found;
  };
}
