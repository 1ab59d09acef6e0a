import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { IndexPassage } from '../../../drivers/search-index/driver.ts';
import { type KnownPassage, sizeOf, splitPassage } from './passage-terms.ts';
import type { SearchModel } from './search-model.ts';

/** All passages of a small index as terms of a model. */
export interface PassageSet {
  passages: readonly { id: string; known: KnownPassage }[];
  /** The words of passages that the model does not have, in order. */
  unknown: readonly string[];
  /** The places of the passages that have such a word. */
  holders: ReadonlyMap<string, readonly number[]>;
  bytes: number;
}

/** So many passages are split before other work of the process has its turn. */
const passagesAtOnce = 100;
const bytesOfWord = 120;

/** Splits the passages of an index into terms. Those of `before`, by the same model, are split only if they have changed. */
export async function makePassageSet(
  model: SearchModel,
  rows: readonly IndexPassage[],
  before: PassageSet | undefined,
): Promise<PassageSet> {
  const split = new Map(before?.passages.map(({ id, known }) => [id, known]));
  const passages: { id: string; known: KnownPassage }[] = [];
  const holders = new Map<string, number[]>();
  let bytes = 0;
  for (const [place, { id, ...texts }] of rows.entries()) {
    const known = splitPassage(model, texts, split.get(id));
    passages.push({ id, known });
    bytes += sizeOf(known);
    for (const word of new Set(known.unknown)) {
      const places = holders.get(word);
      if (places) places.push(place);
      else holders.set(word, [place]);
    }
    if (place % passagesAtOnce === passagesAtOnce - 1) await yieldToEventLoop();
  }
  return { passages, unknown: [...holders.keys()].sort(), holders, bytes: bytes + bytesOfWord * holders.size };
}
