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

type Kinds = Map<string, string[]>;

/** The words of a file by kind; lines that begin with @ say which kind, the others are the file's own. */
function readWords(name: string): Kinds {
  const kinds: Kinds = new Map();
  for (const line of readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8').split('\n')) {
    if (line.startsWith('#')) continue;
    const words = line.split(' ').filter(Boolean);
    const kind = words[0]?.startsWith('@') ? (words.shift() as string).slice(1) : 'own';
    const list = kinds.get(kind) ?? [];
    for (const word of words) list.push(word.replaceAll('_', ' '));
    kinds.set(kind, list);
  }
  return kinds;
}

/** Reads a library's words with ours over them: some milliseconds, and done when the first text is met. */
export function loadLexicon(): Lexicon {
  const library = readWords('library-words');
  const groups = readWords('groups');
  const capital = groups.get('capital') ?? [];
  const both = (kind: string, own: Iterable<string> = []) => new Set([...(library.get(kind) ?? []), ...own]);
  return {
    firstNames: both('first', readWords('first-names').get('own')),
    lastNames: both('last', readWords('last-names').get('own')),
    places: both('place', readWords('places').get('own')),
    groups: both('group', [...(groups.get('own') ?? []), ...capital]),
    capitalGroups: new Set(capital),
    organizations: both('organization'),
    ordinary: both('ordinary', readWords('common-words').get('own')),
  };
}
