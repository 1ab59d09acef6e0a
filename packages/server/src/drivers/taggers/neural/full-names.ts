import type { Asset } from './asset.ts';
import { makeListLookup } from './features.ts';
import type { Run } from './viterbi.ts';

const capitalised = /^\p{Lu}[\p{Ll}'’-]+(?:\p{Lu}\p{Ll}+)*$/u;
/** The share of a name that the lists alone speak for. */
const share = 0.5;

/**
 * Finds a given name with a family name behind it ("the kitten of Anna Schmidt") where the model has found nothing. Names of
 * things, such as brands that are called after people, are left out.
 */
export function makeFullNames(asset: Asset): (words: readonly string[], runs: readonly Run[]) => Run[] {
  const isIn = makeListLookup(asset);
  const isGiven = (word: string) => capitalised.test(word) && isIn('given', word) && !isIn('common', word);
  const isFamily = (word: string) => capitalised.test(word) && isIn('last', word) && !isIn('common', word);
  return (words, runs) => {
    const taken = new Set(runs.flatMap(({ first, end }) => words.map((_, at) => at).slice(first, end)));
    const found: Run[] = [];
    words.forEach((word, at) => {
      const next = words[at + 1];
      if (next === undefined || taken.has(at) || taken.has(at + 1)) return;
      if (!isGiven(word) || !isFamily(next) || isIn('thing', `${word} ${next}`)) return;
      found.push({ kind: 'PERSON', first: at, end: at + 2, share });
    });
    return found;
  };
}
