import type { Language } from '../words/language.ts';
import { synonymsOf } from '../words/synonyms.ts';

/** A synonym counts less where the documents have the word itself. */
const [synonym, weakSynonym, variant] = [0.8, 0.5, 0.7];

/** Whether one word is another with an ending, or the last part of a compound: "Frist" in "Kündigungsfrist". */
function isVariant(one: string, other: string, leastCompound: number): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (/\d/.test(long)) return false;
  if (short.length >= leastCompound && long.length - short.length >= 4 && long.endsWith(short)) return true;
  if (short.length < 5) return false;
  if (long.startsWith(short)) return long.length - short.length <= 4 || short.length >= 7;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  return same >= 7 && long.length - same <= 3;
}

/** How well a set of terms has a term of the question: 1 itself, less for a synonym or another form, 0 not at all. */
export type TermMatcher = (term: string, within: ReadonlySet<string>) => number;

/** Compares the terms of a question with all words of the passages once, so that single units are cheap to compare. */
export function makeTermMatcher(
  terms: readonly string[],
  vocabulary: ReadonlySet<string>,
  language: Language,
): TermMatcher {
  // German compounds end with short words; in other languages such an ending is another word.
  const leastCompound = language === 'de' ? 3 : 6;
  const matches = new Map(
    terms.map((term) => {
      const found: [word: string, credit: number][] = [];
      const synonyms = synonymsOf(term);
      if (synonyms.size > 0)
        for (const word of synonyms)
          if (word !== term && vocabulary.has(word)) found.push([word, vocabulary.has(term) ? weakSynonym : synonym]);
      for (const word of vocabulary)
        if (word !== term && isVariant(term, word, leastCompound)) found.push([word, variant]);
      return [term, found.sort((one, other) => other[1] - one[1])] as const;
    }),
  );
  return (term, within) => {
    if (within.has(term)) return 1;
    return matches.get(term)?.find(([word]) => within.has(word))?.[1] ?? 0;
  };
}
