import { columnOfAdjective, columnOfAge } from './compared-columns.ts';
import type { FoundCondition } from './find-conditions.ts';
import type { QuestionWord, QuestionWords } from './question-words.ts';
import type { KnownColumn } from './read-tables.ts';
import type { TableNames } from './table-names.ts';
import { type Asked, isDate, isMeasure } from './table-query.ts';
import {
  averageWords,
  columnsOfAmounts,
  columnsOfPeople,
  countIn,
  countNames,
  countWords,
  distinctWords,
  groupWords,
  peopleWords,
  questionWords,
  rowsWords,
  type SuperlativeWords,
  sumWords,
  superlatives,
  timeUnits,
} from './table-words.ts';

/** The words of a question that ask for a figure or a rank. */
export interface FigureWords {
  count: number | undefined;
  sum: boolean;
  average: boolean;
  distinct: boolean;
  rank: { words: SuperlativeWords; limit: number; next: number } | undefined;
  isRows: boolean;
}

/** "Which three suppliers have the most orders?" */
const listedCount = new RegExp(
  `\\b(?:which|what|who are the|welche|quels|quelles|cuales) (\\d{1,2}|${countNames})(?= |$)`,
);

function takeRank(words: QuestionWords): FigureWords['rank'] {
  for (const own of superlatives) {
    const found = words.find(own.words);
    if (!found || (own.compared === 'time' && timeUnits.test(words.all[found.to]?.plain ?? ''))) continue;
    words.use(found.from, found.to);
    for (const at of [found.from - 1, found.to]) {
      const word = words.all[at];
      const limit = word && !word.isUsed ? countIn(word.plain) : undefined;
      if (limit === undefined) continue;
      words.use(at);
      return { words: own, limit, next: Math.max(found.to, at + 1) };
    }
    const listed = words.find(listedCount);
    const limit = listed && countIn(listed.groups[1] ?? '');
    if (listed && limit !== undefined && !timeUnits.test(words.all[listed.to]?.plain ?? '')) {
      words.use(listed.to - 1);
      return { words: own, limit, next: found.to };
    }
    return { words: own, limit: 1, next: found.to };
  }
  return undefined;
}

/** Takes the words for figures and ranks. */
export function takeFigureWords(words: QuestionWords): FigureWords {
  const isRows = words.find(rowsWords) !== undefined;
  const count = words.take(countWords)?.to;
  const average = words.take(averageWords) !== undefined;
  const sum = words.take(sumWords) !== undefined;
  return { count, average, sum, distinct: words.take(distinctWords) !== undefined, rank: takeRank(words), isRows };
}

/** The numeric column that most words name. */
function measureIn(words: QuestionWords, names: TableNames, taken: ReadonlySet<KnownColumn>): KnownColumn | undefined {
  const counts = (word: QuestionWord, column: KnownColumn) =>
    names.saysTable(word) ? 0 : names.saysColumn(word, column) ? 2 : names.namesColumn(word, column) ? 1 : 0;
  const scored = names.table.columns
    .filter(isMeasure)
    .map((column) => ({
      column,
      score:
        words.all.reduce((sum, word) => sum + (word.isUsed ? 0 : counts(word, column)), 0) -
        (taken.has(column) ? 0.5 : 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  return scored[0]?.column;
}

const isTextual = ({ type }: KnownColumn) => type === 'text' || type === 'boolean' || type === 'reference';

/** The column of what is asked for: "which country", or one with people for "who". */
export function targetIn(words: QuestionWords, names: TableNames): KnownColumn | undefined {
  const found = words.find(questionWords);
  if (found) {
    for (const word of words.all.slice(found.to, found.to + 3)) {
      if (word.term === undefined) continue;
      if (names.saysTable(word)) return undefined;
      const column = names.table.columns.find((own) => isTextual(own) && names.namesColumn(word, own));
      if (column) return column;
    }
    return undefined;
  }
  if (!words.all.some(({ plain }) => peopleWords.test(plain))) return undefined;
  const texts = names.table.columns.filter(({ type }) => type === 'text');
  return (
    texts.find((column) => words.all.some((word) => names.isVerbOf(word, column))) ??
    texts.find((column) => names.hasTermOf(column, columnsOfPeople))
  );
}

function takeGroup(words: QuestionWords, names: TableNames, average: boolean): KnownColumn | undefined {
  const plain = words.all.map((word) => (word.isUsed ? '\u0001' : word.plain)).join(' ');
  for (const [found, name = ''] of plain.matchAll(groupWords)) {
    const at = words.all.findIndex((word) => !word.isUsed && word.plain === name);
    const word = words.all[at];
    const column =
      word && names.table.columns.find((own) => (isTextual(own) || isDate(own)) && names.namesColumn(word, own));
    if (!column || !found) continue;
    // "Per order" asks for groups of one row each.
    if (names.saysTable(word)) {
      if (!average) words.refuse(at);
      continue;
    }
    words.use(at);
    words.take(/\b(?:per|for each|for every|each|every|je|pro|chaque|cada)\b/);
    return column;
  }
  return undefined;
}

/** What the words ask of the rows; undefined when they do not say it clearly. */
export function readAsked(
  words: QuestionWords,
  names: TableNames,
  { count, sum, average, distinct, rank, isRows }: FigureWords,
  conditions: readonly FoundCondition[],
): Asked | undefined {
  const { columns } = names.table;
  const taken = new Set(conditions.flatMap(({ condition: { column } }) => column));
  const group = takeGroup(words, names, average);
  const named = measureIn(words, names, taken);
  const measures = columns.filter(isMeasure);
  const only = measures.length === 1 ? measures[0] : undefined;
  const amounts = measures.find((column) => names.hasTermOf(column, columnsOfAmounts));
  const isCellAt = (at: number) => conditions.some((found) => found.condition.kind === 'cells' && found.at === at);
  const none = { measure: undefined, distinct: undefined, group, ranked: undefined, limit: 1 };
  if (rank) {
    const { order, compared } = rank.words;
    const target = group ?? targetIn(words, names);
    const ranked = { ...none, kind: 'figure' as const, group: target, ranked: order, limit: rank.limit };
    if (average) return target && named && { ...ranked, figure: 'average', measure: named };
    if (sum && (named ?? only)) return target && { ...ranked, figure: 'sum', measure: named ?? only };
    if (count !== undefined) return target && { ...ranked, figure: 'count' };
    if (compared === 'time') {
      const dates = columns.filter(isDate);
      const said = dates.filter((column) =>
        words.all.some((word) => !names.saysTable(word) && names.saysColumn(word, column)),
      );
      const by = said.length === 1 ? said[0] : dates.length === 1 ? dates[0] : undefined;
      return by && { kind: 'top', by, order, limit: rank.limit };
    }
    if (compared === 'rows' && target && (named || isCellAt(rank.next)))
      return { ...ranked, figure: named || amounts ? 'sum' : 'count', measure: named ?? amounts };
    if (compared === 'rows' && !named) return target && { ...ranked, figure: 'count' };
    if (compared === 'age' || compared === 'newest') {
      const age = compared === 'newest' && names.isOfPeople ? undefined : columnOfAge(names);
      const by =
        age?.column ??
        (compared === 'newest' && columns.filter(isDate).length === 1 ? columns.find(isDate) : undefined);
      const isDown = (order === 'desc') === (age?.grows ?? false);
      return by && { kind: 'top', by, order: isDown ? 'desc' : 'asc', limit: rank.limit };
    }
    const isPlain = compared === 'any' || compared === 'rows';
    const by = isPlain
      ? (named ?? only)
      : (columnOfAdjective(names, compared) ?? (compared === 'weight' ? undefined : named));
    return by && { kind: 'top', by, order, limit: rank.limit };
  }
  if (average || (sum && count === undefined)) {
    const measure = named ?? only;
    return measure && { ...none, kind: 'figure', figure: average ? 'average' : 'sum', measure };
  }
  if (count !== undefined) {
    const head = words.all.findIndex((word, at) => at >= count && word.term !== undefined && !isCellAt(at));
    const first = words.all[head];
    const isNext = head >= 0 && words.all.slice(count, head).every((word) => word.isUsed || word.term === undefined);
    if (first && isNext && !names.saysTable(first)) {
      const measure = measures.find((column) => names.saysColumn(first, column));
      if (measure) return { ...none, kind: 'figure', figure: 'sum', measure };
      const values = columns.find(
        (column) => isTextual(column) && column.type === 'text' && names.saysColumn(first, column),
      );
      if (values && !taken.has(values)) return { ...none, kind: 'figure', figure: 'count', distinct: values };
    }
    const isOfCells = isCellAt(count) && !words.all.some((word) => names.namesTable(word) && !isRows);
    if (named && !taken.has(named) && !(first && names.saysTable(first)))
      return { ...none, kind: 'figure', figure: 'sum', measure: named };
    if (isOfCells && amounts) return { ...none, kind: 'figure', figure: 'sum', measure: amounts };
    if (distinct) return undefined;
    return { ...none, kind: 'figure', figure: 'count' };
  }
  return isRows && conditions.length > 0 ? { kind: 'rows' } : undefined;
}
