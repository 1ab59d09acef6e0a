import { writeFileSync } from 'node:fs';
import library from 'compromise/two';

/**
 * Takes what the tagger needs out of a library's lexicon, by kind, so that the program reads a small file instead of
 * building the library's whole model when it meets the first text. To be run again when the library is updated.
 */
const kinds: [kind: string, tags: RegExp][] = [
  ['first', /^(?:MaleName|FemaleName|FirstName)$/],
  ['last', /^LastName$/],
  ['place', /^(?:Country|Region|City|Place)$/],
  ['group', /^Demonym$/],
  ['organization', /^(?:Organization|SportsTeam)$/],
  [
    'ordinary',
    /^(?:Adjective|Noun|Singular|Plural|Actor|Verb|PastTense|PresentTense|Infinitive|Gerund|Participle|Adverb|Comparative|Superlative|Determiner|Modal|Conjunction|Preposition|Pronoun|Possessive|Expression|Uncountable|Month|WeekDay|Unit|Currency|Date|Duration|Ordinal|Cardinal|QuestionWord|Negative|Copula|Abbreviation)$/,
  ],
];

/** Abbreviations of streets and states stand among the places, and phrases among the words. */
const unfit = (word: string, kind: string, tags: readonly string[]) =>
  (kind === 'place' && word.length < 5 && !tags.some((tag) => tag !== 'Place' && tag !== 'ProperNoun')) ||
  (kind === 'ordinary' && word.includes(' ')) ||
  !/^\p{L}/u.test(word);

const { one } = library.model() as { one: { lexicon: Record<string, string | string[]> } };
const found = new Map(kinds.map(([kind]) => [kind, [] as string[]]));
for (const [word, tagged] of Object.entries(one.lexicon)) {
  const tags = typeof tagged === 'string' ? [tagged] : tagged;
  const kind = kinds.find(([, fitting]) => tags.some((tag) => fitting.test(tag)))?.[0];
  if (kind && !unfit(word, kind, tags)) found.get(kind)?.push(word.replaceAll(' ', '_'));
}
const head =
  '# Made by packages/server/scripts/write-words.ts from the lexicon of compromise (MIT licence, © 2019 Spencer Kelly).';
const lines = [...found].map(([kind, words]) => `@${kind} ${words.sort().join(' ')}`);
writeFileSync(
  new URL('../src/drivers/taggers/words/library-words.txt', import.meta.url),
  `${[head, ...lines].join('\n')}\n`,
);
