import type { Asset } from '../asset.ts';
import { makeListLookup } from '../features.ts';
import type { Run } from '../viterbi.ts';
import { makeKnownPairs } from './known-pairs.ts';

const capitalised = /^\p{Lu}[\p{Ll}'’-]+(?:\p{Lu}\p{Ll}+)*$/u;
/** The share of a name that the lists alone speak for. */
const share = 0.5;
/** A word on none of these can be a family name that is not listed. */
const otherLists = ['common', 'thing', 'thing_part', 'city', 'city_part', 'country', 'nrp'];

/**
 * Finds a given name with a family name behind it ("the kitten of Anna Schmidt") where the model has found nothing, or has taken
 * just these two words for a firm. A word that is on no list counts as a family name. Known names of things and places, such as
 * brands that are called after people, are left out.
 */
export function makeFullNames(asset: Asset): (words: readonly string[], runs: readonly Run[]) => Run[] {
  const isIn = makeListLookup(asset);
  const isGiven = (word: string) => capitalised.test(word) && isIn('given', word) && !isIn('common', word);
  const pairs = makeKnownPairs(asset);
  const isUnlisted = (word: string) => !otherLists.some((list) => isIn(list, word));
  const isFamily = (word: string) =>
    capitalised.test(word) && ((isIn('last', word) && !isIn('common', word)) || isUnlisted(word));
  return (words, runs) => {
    const firms = new Set(runs.flatMap(({ kind, first, end }) => (kind === 'ORG' && end - first === 2 ? [first] : [])));
    const taken = new Set(runs.flatMap(({ first, end }) => words.map((_, at) => at).slice(first, end)));
    const found: Run[] = [];
    words.forEach((word, at) => {
      const next = words[at + 1];
      if (next === undefined || ((taken.has(at) || taken.has(at + 1)) && !firms.has(at))) return;
      if (!isGiven(word) || !isFamily(next) || pairs.isThing(word, next) || pairs.isPlace(word, next)) return;
      found.push({ kind: 'PERSON', first: at, end: at + 2, share });
    });
    return found;
  };
}
