import type { Run } from './viterbi.ts';

/** Enough for a text that repeats a unit of this many tokens; about half a megabyte. */
const mostKept = 256;

const keyOf = (words: readonly string[]) => words.join('\0');

/**
 * Remembers the names in the windows that were read last. Windows are read independently of each other, so a text that
 * repeats itself costs as much as its first repetitions and finds the same.
 */
export function rememberRuns(read: (words: readonly string[]) => Run[]) {
  const kept = new Map<string, Run[]>();
  return {
    isKnown: (words: readonly string[]): boolean => kept.has(keyOf(words)),
    runsOf(words: readonly string[]): Run[] {
      const key = keyOf(words);
      const runs = kept.get(key) ?? read(words);
      // Deleted and inserted again, so that the oldest entry is always first.
      kept.delete(key);
      kept.set(key, runs);
      if (kept.size > mostKept) kept.delete(kept.keys().next().value as string);
      return runs;
    },
  };
}
