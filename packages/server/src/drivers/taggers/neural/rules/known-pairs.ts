import type { Asset } from '../asset.ts';
import { makeBloomFilter } from '../features.ts';
import { foldOf, lowerOf } from '../keys.ts';
import type { Run } from '../viterbi.ts';

export interface KnownPairs {
  isThing(word: string, next: string): boolean;
  isPlace(word: string, next: string): boolean;
}

/** Says whether two words begin the name of a well-known thing ("Calvin Klein") or place ("San Francisco"). */
export function makeKnownPairs(asset: Asset): KnownPairs {
  const [things, places] = [makeBloomFilter(asset, 'pairs.things'), makeBloomFilter(asset, 'pairs.places')];
  const pairOf = (word: string, next: string) => foldOf(lowerOf(`${word} ${next}`));
  return {
    isThing: (word, next) => things(pairOf(word, next)),
    isPlace: (word, next) => places(pairOf(word, next)),
  };
}

/** A person with the name of a well-known thing needs this share: set on training/ner/calibration. */
const leastShare = 0.55;

/** Drops people of two words who bear the name of a well-known thing, unless the model is sure of them. */
export function makeDropNamesakes(asset: Asset): (words: readonly string[], runs: readonly Run[]) => Run[] {
  const pairs = makeKnownPairs(asset);
  return (words, runs) =>
    runs.filter(({ kind, first, end, share }) => {
      if (kind !== 'PERSON' || end - first !== 2 || share >= leastShare) return true;
      return !pairs.isThing(words[first] as string, words[first + 1] as string);
    });
}
