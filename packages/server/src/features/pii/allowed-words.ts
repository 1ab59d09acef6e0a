import type { PiiEntity } from '@atrium/contract/settings/keys/safety.ts';

/** Decides which found values are no personal data. */
export interface AllowedWords {
  allows(entity: PiiEntity, value: string): boolean;
}

export const nothingAllowed: AllowedWords = { allows: () => false };

/** Found by the words alone. Other entities are values with a form of their own. */
const names: ReadonlySet<PiiEntity> = new Set(['PERSON', 'LOCATION', 'NRP']);
/** No longer value is a name of allowed words; bounds the time of a comparison. */
const longestValue = 500;
const mostCached = 10_000;

const foldText = (text: string) => text.normalize('NFKC').toLowerCase().replace(/’/g, "'").trim().replace(/\s+/g, ' ');
/** The words of a folded text, without signs around them and without the s of a possessive. */
const wordsOf = (folded: string): string[] =>
  folded
    .split(/[\s,;:/"()<>-]+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}*]+|[^\p{L}\p{N}*+#]+$/gu, '').replace(/'s$/, ''))
    .filter(Boolean);

/** Whether a text fits a pattern in which * stands for any characters but spaces. Its time is length times length. */
function fits(pattern: string, text: string): boolean {
  let ends = new Set([0]);
  for (const sign of pattern) {
    const next = new Set<number>();
    for (const end of ends) {
      if (sign !== '*') {
        if (text.startsWith(sign, end)) next.add(end + sign.length);
        continue;
      }
      for (let at = end; !next.has(at); at++) {
        next.add(at);
        if (at >= text.length || text.charAt(at) === ' ') break;
      }
    }
    if (next.size === 0) return false;
    ends = next;
  }
  return ends.has(text.length);
}

/** Phrases of whole words: plain ones in a set, patterns one by one. */
function makePhrases(entries: readonly string[]) {
  const plain = new Set<string>();
  const patterns: string[] = [];
  let longest = 0;
  for (const entry of entries) {
    const words = wordsOf(entry);
    if (words.length === 0 || words.every((word) => /^\*+$/.test(word))) continue;
    longest = Math.max(longest, words.length);
    const phrase = words.join(' ');
    if (phrase.includes('*')) patterns.push(phrase);
    else plain.add(phrase);
  }
  const has = (phrase: string) => plain.has(phrase) || patterns.some((pattern) => fits(pattern, phrase));
  return { longest, has };
}

/**
 * Reads lists of allowed words. `entries` are the operator's; `ownNames` are names of the workspace's own things, which
 * allow names only, never an address or a number. A name is allowed when allowed phrases cover all of its words.
 */
export function makeAllowedWords(entries: readonly string[], ownNames: readonly string[] = []): AllowedWords {
  const own = entries.map(foldText);
  const all = [...new Set([...own, ...ownNames.map(foldText)])].filter(Boolean);
  if (all.length === 0) return nothingAllowed;
  const whole = new Set(own.filter((entry) => !entry.includes('*')));
  const patterns = own.filter((entry) => entry.includes('*'));
  const phrases = makePhrases(all);
  const known = new Map<string, boolean>();

  function coversWords(folded: string): boolean {
    const words = wordsOf(folded);
    /** Whether the first words up to each place are covered. */
    const covered = [true];
    for (let to = 1; to <= words.length; to++)
      for (let from = to - 1; from >= Math.max(0, to - phrases.longest) && !covered[to]; from--)
        covered[to] = covered[from] === true && phrases.has(words.slice(from, to).join(' '));
    return words.length > 0 && covered[words.length] === true;
  }

  function decide(entity: PiiEntity, value: string): boolean {
    if (value.length > longestValue) return false;
    const folded = foldText(value);
    if (whole.has(folded) || patterns.some((pattern) => fits(pattern, folded))) return true;
    return names.has(entity) && coversWords(folded);
  }

  return {
    allows(entity, value) {
      const cacheKey = `${names.has(entity)}${value}`;
      const before = known.get(cacheKey);
      if (before !== undefined) return before;
      if (known.size >= mostCached) known.clear();
      const decided = decide(entity, value);
      known.set(cacheKey, decided);
      return decided;
    },
  };
}
