import { readFileSync } from 'node:fs';

/** The word lists, in lower case. Names of several words have single spaces. */
export interface Lexicon {
  firstNames: ReadonlySet<string>;
  lastNames: ReadonlySet<string>;
  places: ReadonlySet<string>;
  groups: ReadonlySet<string>;
  /** Groups that are ordinary words in lower case. */
  capitalGroups: ReadonlySet<string>;
  organizations: ReadonlySet<string>;
  /** Words that usually mean something else. */
  ordinary: ReadonlySet<string>;
}

type Kinds = Map<string, string[]>;

/**
 * Reads the words of a file by kind: a line that begins with @ starts a kind; the lines before belong to the file's
 * own.
 */
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

/** Combines the words of a library with ours; takes some milliseconds, at the first text. */
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
