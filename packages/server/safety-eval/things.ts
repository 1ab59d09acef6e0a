import type { FindPii } from '../src/features/pii/ports.ts';
import { type MeasuredNames, measureSentences, readSentences, sentences } from './sentences.ts';

/** Sentences about software, products, firms, roles and the like, without a person: written for this purpose, never trained on. */
export const things = readSentences('things');

/** First names alone, small letters, names of other European languages. */
export const people = readSentences('people');

export interface MeasuredThings {
  group: string;
  sentences: number;
  /** Sentences that lose a word as a person. */
  losing: number;
}

export async function measureThings(findPii: FindPii): Promise<MeasuredThings[]> {
  const read = await Promise.all(
    things.map(async ({ group, text }) => ({ group, loses: (await findPii(text, ['PERSON'])).length > 0 })),
  );
  const groups = [...new Set(things.map(({ group }) => group)), 'all'];
  return groups.map((group) => {
    const own = read.filter((one) => group === 'all' || one.group === group);
    return { group, sentences: own.length, losing: own.filter(({ loses }) => loses).length };
  });
}

/** People in each group, and in all sentences together, with those about things. */
export async function measurePeople(findPii: FindPii): Promise<MeasuredNames[]> {
  const groups = (await measureSentences(findPii, people)).filter(({ group }) => group !== 'all');
  const mixed = (await measureSentences(findPii, [...sentences, ...people, ...things])).filter(
    ({ group }) => group === 'all',
  );
  return [...groups, ...mixed.map((one) => ({ ...one, group: 'mixed' }))].filter(({ entity }) => entity === 'PERSON');
}
