import { readFileSync } from 'node:fs';

/** What is known about words, all in lower case. Names of several words have single spaces. */
export interface Lexicon {
  firstNames: ReadonlySet<string>;
  lastNames: ReadonlySet<string>;
  places: ReadonlySet<string>;
  groups: ReadonlySet<string>;
  /** Groups that are ordinary words when written small. */
  capitalGroups: ReadonlySet<string>;
  organizations: ReadonlySet<string>;
  /** Words that mean something else in most sentences. */
  ordinary: ReadonlySet<string>;
}

/** Abbreviations of streets and states among the lexicon's places: never places by themselves. */
const shortPlace = /^.{1,4}$/;
const namesOf = /^(?:MaleName|FemaleName|FirstName)$/;
const ordinaryTag =
  /^(?:Adjective|Noun|Singular|Plural|Actor|Verb|PastTense|PresentTense|Infinitive|Gerund|Participle|Adverb|Comparative|Superlative|Determiner|Modal|Conjunction|Preposition|Pronoun|Possessive|Expression|Uncountable|Month|WeekDay|Unit|Currency|Date|Duration|Ordinal|Cardinal|QuestionWord|Negative|Copula|Abbreviation)$/;

interface List {
  words: string[];
  capital: string[];
}

function readList(name: string): List {
  const list: List = { words: [], capital: [] };
  for (const line of readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8').split('\n')) {
    if (line.startsWith('#')) continue;
    const words = line.split(' ').filter(Boolean);
    const into = words[0] === '@capital' ? list.capital : list.words;
    for (const word of words) if (word !== '@capital') into.push(word.replaceAll('_', ' '));
  }
  return list;
}

/** Reads a library's word list with ours over it. Takes a good part of a second, so it is done at the first question. */
export async function loadLexicon(): Promise<Lexicon> {
  const { default: library } = await import('compromise/two');
  const { one } = library.model() as { one: { lexicon: Record<string, string | string[]> } };
  const groups = readList('groups');
  const lists = {
    firstNames: new Set(readList('first-names').words),
    lastNames: new Set(readList('last-names').words),
    places: new Set(readList('places').words),
    groups: new Set([...groups.words, ...groups.capital]),
    capitalGroups: new Set(groups.capital),
    organizations: new Set<string>(),
    ordinary: new Set(readList('common-words').words),
  };
  for (const [word, tagged] of Object.entries(one.lexicon)) {
    const tags = typeof tagged === 'string' ? [tagged] : tagged;
    const is = (tag: string) => tags.includes(tag);
    if (tags.some((tag) => namesOf.test(tag))) lists.firstNames.add(word);
    else if (is('LastName')) lists.lastNames.add(word);
    else if (is('Country') || is('Region') || is('City') || (is('Place') && !shortPlace.test(word)))
      lists.places.add(word);
    else if (is('Demonym')) lists.groups.add(word);
    else if (is('Organization') || is('SportsTeam')) lists.organizations.add(word);
    else if (tags.some((tag) => ordinaryTag.test(tag)) && !word.includes(' ')) lists.ordinary.add(word);
  }
  return lists;
}
