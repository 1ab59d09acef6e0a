import { type FoundCondition, findCells, findEmpty, findFlags, takeNegation } from './find-conditions.ts';
import { findMeasured } from './find-measured.ts';
import type { FoundCell } from './probe-cells.ts';
import { QuestionWords } from './question-words.ts';
import { readAsked, takeFigureWords, targetIn } from './read-asked.ts';
import type { KnownColumn, KnownTable } from './read-tables.ts';
import { makeTableNames, type TableNames } from './table-names.ts';
import { type Asked, type Condition, isDate, type TableQuery } from './table-query.ts';
import { havingWords, lightTerms, negation, peopleWords } from './table-words.ts';
import { refuseComparisons, refuseUnsupported } from './unsupported-words.ts';

/** How a question is understood for one table. */
export interface UnderstoodQuestion {
  table: KnownTable;
  /** Undefined when its words do not say what is asked of the rows. */
  query: TableQuery | undefined;
  /** Words that carry meaning and that the lookup does not use. */
  unused: string[];
  /** How many words are names of the table, and of it or its columns. */
  says: number;
  names: number;
  /** It asks for a figure or a rank; or for these or for rows. */
  asksFigure: boolean;
  asksTable: boolean;
  isDenied: boolean;
  /** It compares rows with each other or with today. */
  isRefused: boolean;
  /** It sets a time or a number that cells have to compare with. */
  isMeasured: boolean;
}

interface UnderstoodLine {
  words: QuestionWords;
  asked: Asked | undefined;
  conditions: Condition[];
  asksFigure: boolean;
  asksTable: boolean;
}

const columnsIn = (condition: Condition): KnownColumn[] =>
  Array.isArray(condition.column) ? condition.column : [condition.column];

/** "Invoices that are not paid" with a column `paid_on`, "orders with a discount code": whether the cell is filled. */
function* findFilled(
  words: QuestionWords,
  names: TableNames,
  taken: ReadonlySet<KnownColumn>,
): Generator<FoundCondition> {
  const having = words.find(havingWords);
  for (const [at, word] of words.all.entries()) {
    if (word.isUsed || word.term === undefined || names.saysTable(word)) continue;
    const isHad = having !== undefined && at === having.to - 1;
    const column = names.table.columns.find(
      (own) => names.saysColumn(word, own) && !taken.has(own) && (isDate(own) || (isHad && own.type === 'text')),
    );
    if (!column) continue;
    words.use(at);
    yield { at, condition: { kind: 'empty', column, not: !takeNegation(words, at) } };
  }
}

/** Several values of one column are alternatives, except of what is excluded. */
function joinAlternatives(found: readonly FoundCondition[]): Condition[] {
  const joined: Condition[] = [];
  for (const { condition } of found) {
    const same =
      condition.kind === 'cells' && !condition.not
        ? joined.find(
            (other) =>
              other.kind === 'cells' && !other.not && other.column.some((column) => condition.column.includes(column)),
          )
        : undefined;
    if (same?.kind === 'cells' && condition.kind === 'cells') {
      same.column = same.column.filter((column) => condition.column.includes(column));
      same.values = [...same.values, ...condition.values];
    } else joined.push(condition.kind === 'cells' ? { ...condition } : condition);
  }
  return joined;
}

function useNames(
  words: QuestionWords,
  names: TableNames,
  asked: Asked | undefined,
  conditions: readonly Condition[],
): void {
  const shown = asked && asked.kind !== 'figure';
  const inUse = new Set<KnownColumn | undefined>(conditions.flatMap(columnsIn));
  if (asked?.kind === 'top') inUse.add(asked.by);
  if (asked?.kind === 'figure') for (const column of [asked.measure, asked.group, asked.distinct]) inUse.add(column);
  for (const word of words.all) {
    if (word.isUsed || word.term === undefined) continue;
    const isName =
      names.namesTable(word) ||
      lightTerms.has(word.term) ||
      names.table.columns.some(
        (column) =>
          ((shown || inUse.has(column)) && names.namesColumn(word, column)) ||
          (inUse.has(column) && names.isVerbOf(word, column)),
      );
    if (isName) word.isUsed = true;
  }
}

/** "Norway or Denmark" are cells of one column; "Norway or not paid" is no pair of conditions that both hold. */
function refuseAlternatives(words: QuestionWords, found: readonly FoundCondition[]): void {
  const cellsOf = (one: FoundCondition | undefined) => (one?.condition.kind === 'cells' ? one.condition : undefined);
  for (const [at, { plain }] of words.all.entries()) {
    if (!/^(?:or|oder|ou)$/.test(plain)) continue;
    const before = cellsOf(found.filter((one) => one.at < at).sort((one, other) => other.at - one.at)[0]);
    const after = cellsOf(found.filter((one) => one.at > at).sort((one, other) => one.at - other.at)[0]);
    const isOneColumn =
      before && after && !before.not && !after.not && before.column.some((column) => after.column.includes(column));
    if (!isOneColumn && found.length > 0) words.refuse(at);
  }
}

/**
 * Whether rows that fulfil the conditions say nothing about the things that are asked for: an order of another product
 * does not show that its customer never ordered this one, and a salary above 5 is no average above 5.
 */
function isAboutOthers(
  words: QuestionWords,
  names: TableNames,
  asked: Asked | undefined,
  conditions: readonly Condition[],
): boolean {
  const isDenied = conditions.some(({ kind, not }) => kind === 'cells' && not);
  const isNever = words.all.some(({ plain }) => /^(?:never|nie|niemals|jamais|nunca)$/.test(plain));
  const target =
    asked?.kind === 'figure' ? asked.distinct : asked?.kind === 'rows' ? targetIn(words, names) : undefined;
  if ((isDenied || isNever) && target && target !== names.table.columns[0]) return true;
  if (asked?.kind !== 'figure' || !asked.measure || asked.figure === 'most' || asked.figure === 'least') return false;
  return conditions.some(({ kind, column }) => kind === 'compare' && column === asked.measure);
}

function readLine(text: string, names: TableNames, cells: readonly FoundCell[]): UnderstoodLine {
  const words = new QuestionWords(text);
  refuseUnsupported(words);
  const found = [
    ...findCells(words, names, cells, { fewest: 2 }),
    ...findMeasured(words, names),
    ...findEmpty(words, names),
  ];
  refuseComparisons(words);
  const figures = takeFigureWords(words);
  found.push(...findCells(words, names, cells, { fewest: 1 }), ...findFlags(words, names));
  let asked = readAsked(words, names, figures, found);
  const taken = new Set<KnownColumn>(found.flatMap(({ condition }) => columnsIn(condition)));
  if (asked?.kind === 'top') taken.add(asked.by);
  if (asked?.kind === 'figure' && asked.group) taken.add(asked.group);
  found.push(...findFilled(words, names, taken));
  const conditions = joinAlternatives(found);
  useNames(words, names, asked, conditions);
  refuseAlternatives(words, found);
  if (isAboutOthers(words, names, asked, conditions)) asked = undefined;
  const { count, sum, average, rank, isRows } = figures;
  const asksFigure = count !== undefined || sum || average || rank !== undefined;
  return { words, asked, conditions, asksFigure, asksTable: asksFigure || isRows };
}

/** Reads a question for a table. Later lines go on about the first ones: what they say of a column takes its place. */
export function readTableQuery(text: string, table: KnownTable, cells: readonly FoundCell[]): UnderstoodQuestion {
  const names = makeTableNames(table);
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => readLine(line, names, cells));
  let asked: Asked | undefined;
  let conditions: Condition[] = [];
  for (const line of lines) {
    asked = line.asked && (line.asked.kind !== 'rows' || !asked) ? line.asked : asked;
    const columns = new Set(line.conditions.flatMap(columnsIn));
    conditions = [
      ...conditions.filter((one) => !columnsIn(one).some((column) => columns.has(column))),
      ...line.conditions,
    ];
  }
  const all = lines.flatMap(({ words }) => words.all);
  const unused = all.filter(
    ({ isUsed, isRefused, term, plain }) =>
      isRefused ||
      (!isUsed && (term !== undefined || negation.test(plain) || /^\d/.test(plain)) && !peopleWords.test(plain)),
  );
  return {
    table,
    query: asked && { table, asked, conditions },
    unused: [...new Set(unused.map(({ written }) => written))],
    says: all.filter((word) => names.saysTable(word)).length,
    names: all.filter(
      (word) => names.namesTable(word) || table.columns.some((column) => names.saysColumn(word, column)),
    ).length,
    asksFigure: lines.some((line) => line.asksFigure),
    asksTable: lines.some((line) => line.asksTable),
    isDenied: all.some(({ plain }) => negation.test(plain)),
    isRefused: all.some(({ isRefused }) => isRefused),
    isMeasured: conditions.some(({ kind }) => kind === 'date' || kind === 'compare'),
  };
}
