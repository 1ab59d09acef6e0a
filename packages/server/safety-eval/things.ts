import type { FindPii } from '../src/features/pii/ports.ts';
import { type MeasuredNames, measureSentences, readSentences, type Sentence, sentences } from './sentences.ts';

/** Sentences about software, products, firms, roles and the like, without a person: written for this purpose, never trained on. */
export const things = readSentences('things');

/** A second set, written later: no model has been chosen by it. */
export const secondThings = readSentences('things-second');
const secondPeople = readSentences('people-second');

/** A third set, written after the last training: no model, rule or threshold has been chosen by it. */
export const thirdThings = readSentences('things-third');
const thirdPeople = readSentences('people-third');

/** A fourth set, written after the present asset was trained and chosen, before it was measured on it. */
export const fourthThings = readSentences('things-fourth');
const fourthPeople = readSentences('people-fourth');

/** A fifth set, written before the training that was tried after it, and measured once that training was over. */
export const fifthThings = readSentences('things-fifth');
const fifthPeople = readSentences('people-fifth');

/** First names alone, small letters, names of other European languages. */
export const people = readSentences('people');

export interface MeasuredThings {
  group: string;
  sentences: number;
  /** Sentences that lose a word as a person. */
  losing: number;
}

export async function measureThings(findPii: FindPii, some: readonly Sentence[] = things): Promise<MeasuredThings[]> {
  const read = await Promise.all(
    some.map(async ({ group, text }) => ({ group, loses: (await findPii(text, ['PERSON'])).length > 0 })),
  );
  const groups = [...new Set(some.map(({ group }) => group)), 'all'];
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

/** People in each group of a later set, in all of them, and together with its sentences about things. */
async function measureLaterPeople(
  findPii: FindPii,
  laterPeople: readonly Sentence[],
  laterThings: readonly Sentence[],
): Promise<MeasuredNames[]> {
  const groups = await measureSentences(findPii, laterPeople);
  const mixed = (await measureSentences(findPii, [...laterPeople, ...laterThings])).filter(
    ({ group }) => group === 'all',
  );
  return [...groups, ...mixed.map((one) => ({ ...one, group: 'mixed' }))].filter(({ entity }) => entity === 'PERSON');
}

export const measureSecondPeople = (findPii: FindPii) => measureLaterPeople(findPii, secondPeople, secondThings);
export const measureThirdPeople = (findPii: FindPii) => measureLaterPeople(findPii, thirdPeople, thirdThings);
export const measureFourthPeople = (findPii: FindPii) => measureLaterPeople(findPii, fourthPeople, fourthThings);
export const measureFifthPeople = (findPii: FindPii) => measureLaterPeople(findPii, fifthPeople, fifthThings);
