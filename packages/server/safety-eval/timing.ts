import { readFileSync } from 'node:fs';
import type { Tagger } from '../src/drivers/taggers/driver.ts';
import { patternRecognisers } from '../src/features/pii/service.ts';

/** A letter with one value of most kinds, as people write them. */
const letter = readFileSync(new URL('letter.txt', import.meta.url), 'utf8');

/** The shortest of many rounds: what the work costs when nothing else runs. */
async function msPerThousand(find: (text: string) => unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 60; round++) {
    const started = performance.now();
    await find(letter);
    best = Math.min(best, performance.now() - started);
  }
  return (best / letter.length) * 1000;
}

export interface Timed {
  name: string;
  ms: number;
}

export async function timings(tagger: Tagger): Promise<{ patterns: Timed[]; names: Timed }> {
  const patterns: Timed[] = [];
  for (const { entities, find } of patternRecognisers)
    patterns.push({ name: entities.join(', '), ms: await msPerThousand((text) => find(text)) });
  return { patterns, names: { name: 'PERSON, LOCATION, NRP', ms: await msPerThousand((text) => tagger.tag(text)) } };
}
