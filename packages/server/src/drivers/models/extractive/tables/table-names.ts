import { folded } from '../../../../lib/text/terms.ts';
import { synonymsOf } from '../words/synonyms.ts';
import { comparable, type QuestionWord, wordTerms } from './question-words.ts';
import type { KnownColumn, KnownTable } from './read-tables.ts';
import { lightTerms, peopleWords, tablesOfPeople } from './table-words.ts';

/** Which words name a table and its columns: by their own names, or by synonyms. */
export interface TableNames {
  table: KnownTable;
  isOfPeople: boolean;
  /** The word is a part of the name itself. */
  saysTable(word: QuestionWord): boolean;
  saysColumn(word: QuestionWord | string, column: KnownColumn): boolean;
  namesTable(word: QuestionWord): boolean;
  namesColumn(word: QuestionWord, column: KnownColumn): boolean;
  /** The word is the verb of the name: "gebaut" of `baujahr`. */
  isVerbOf(word: QuestionWord, column: KnownColumn): boolean;
  hasTermOf(column: KnownColumn, terms: ReadonlySet<string>): boolean;
  /** The word is the whole name. */
  isNamed(word: QuestionWord, column: KnownColumn): boolean;
}

/** Parts of names that say nothing by themselves: `is_paid`, `closed_on`. */
const isNameWord = (term: string) =>
  term.length > 1 && !lightTerms.has(term) && !/^(?:is|has|dat|datum|fecha)$/.test(term);
const isCompound = (word: string, part: string) =>
  part.length >= 5 && word.length > part.length && word.startsWith(part);

/** The words of a name: their stems, and as they are written. */
interface NameWords {
  terms: ReadonlySet<string>;
  plain: readonly string[];
}

function readName(...names: (string | undefined)[]): NameWords {
  const text = names.map((name) => folded((name ?? '').replaceAll('_', ' '))).join(' ');
  const plain = (text.match(/[\p{L}\p{N}]{3,}/gu) ?? []).map(comparable);
  const all = wordTerms(text);
  const telling = all.filter(isNameWord);
  // A name of small words alone, such as `in_use`, is known by these.
  return { terms: new Set(telling.length > 0 ? telling : all.length > 0 ? all : plain), plain };
}

/** "Kurs" is one of the "Kurse", whatever stems they have. */
const isInflected = (one: string, other: string) => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return (
    short.length >= 4 &&
    long.startsWith(short) &&
    /^(?:e|s|n|en|es|er|se|nen|in|innen|ly)$/.test(long.slice(short.length))
  );
};

const participle =
  /^(?:(an|ab|auf|aus|ein|vor|zu|nach|bei|um)?ge|(be|ver|er|ent))(\p{L}{3,}?)(?:e?t|en)(?:e[rsnm]?)?$/u;

const finite = /^(\p{L}{4,}?)(?:e?t|en)$/u;

/** What the German participle of a verb and its noun begin with: "wart" for "gewartet" and "Wartung". */
function rootOfVerb(plain: string): string | undefined {
  const [, split = '', prefix = '', root = finite.exec(plain)?.[1] ?? ''] = participle.exec(plain) ?? [];
  return root && comparable(`${split}${prefix}${root}`);
}

export function makeTableNames(table: KnownTable): TableNames {
  const ofTable = readName(table.name, table.sql_name);
  const ofColumns = new Map(table.columns.map((column) => [column, readName(column.name, column.label)]));
  const isOfPeople = [...ofTable.terms].some((term) => tablesOfPeople.has(term));
  const has = ({ terms, plain }: NameWords, word: Pick<QuestionWord, 'term' | 'plain'>) => {
    const term = word.term ?? word.plain;
    if (terms.has(term) || [...terms].some((own) => isCompound(own, term))) return true;
    return (
      word.term !== undefined &&
      plain.some((own) => terms.has(wordTerms(own)[0] ?? '') && isInflected(own, comparable(word.plain)))
    );
  };
  const means = (named: NameWords, word: Pick<QuestionWord, 'term' | 'plain'>) =>
    has(named, word) ||
    (word.term !== undefined && [...synonymsOf(word.term)].some((other) => named.terms.has(comparable(other))));
  const nameOf = (column: KnownColumn): NameWords => ofColumns.get(column) ?? readName(column.name);
  return {
    table,
    isOfPeople,
    saysTable: (word) => has(ofTable, word),
    saysColumn: (word, column) =>
      has(nameOf(column), typeof word === 'string' ? { plain: word, term: wordTerms(word)[0] } : word),
    namesTable: (word) =>
      (isOfPeople && (peopleWords.test(word.plain) || tablesOfPeople.has(word.term ?? ''))) || means(ofTable, word),
    namesColumn: (word, column) => means(nameOf(column), word),
    isVerbOf({ plain }, column) {
      const root = rootOfVerb(plain);
      if (!root) return false;
      return nameOf(column).plain.some(
        (own) => own.startsWith(root) && own.length > root.length + (root.length < 4 ? 2 : 0),
      );
    },
    hasTermOf: (column, terms) => [...nameOf(column).terms].some((term) => terms.has(term)),
    isNamed: ({ plain }, column) => folded(column.name).replaceAll('_', ' ') === plain,
  };
}
