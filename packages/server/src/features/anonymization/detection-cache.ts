import { hash } from 'node:crypto';
import type { PrivateSpan } from './replace-private-spans.ts';

/** Detects values in a text, or returns the cached result. `key` identifies the text and the way it is read. */
export type DetectionCache = (
  key: readonly string[],
  work: () => Promise<readonly PrivateSpan[]>,
) => Promise<readonly PrivateSpan[]>;

/** How many detections are cached in all, and the cost of each text in such units. About 20 MB when full. */
const mostFound = 200_000;
const eachText = 5;

/**
 * Caches the detections of texts. Every message sends the whole conversation to the model again, and only new text is
 * searched. Texts are kept as digests.
 */
export function makeDetectionCache(): DetectionCache {
  const known = new Map<string, { found: Promise<readonly PrivateSpan[]>; weight: number }>();
  let full = 0;

  function forget(digest: string): void {
    full -= known.get(digest)?.weight ?? 0;
    known.delete(digest);
  }

  return (key, work) => {
    const digest = hash('sha256', key.map((part) => `${part.length}\0${part}`).join(''), 'base64');
    const before = known.get(digest);
    if (before) {
      // Deleted and inserted again, so that the oldest entry is always first.
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
