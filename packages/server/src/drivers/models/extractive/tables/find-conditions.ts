import { takeDateRange } from './date-ranges.ts';
import type { FoundCell } from './probe-cells.ts';
import type { QuestionWord, QuestionWords } from './question-words.ts';
import type { KnownColumn } from './read-tables.ts';
import type { TableNames } from './table-names.ts';
import { type Condition, isDate, isNumber, isNumberOfRow } from './table-query.ts';
import {
  betweenNumbers,
  columnsOfMoney,
  comparisons,
  currencies,
  isWithout,
  lightTerms,
  negation,
} from './table-words.ts';

/** A condition and the word of the question that it begins with. */
export interface FoundCondition {
  at: number;
  condition: Condition;
}

const [longestPhrase, negationReach] = [6, 4];

const asNumber = (text: string) => {
  const plain = text.replace(/[.,]$/, '');
  // The last sign before one or two digits is the decimal sign; others part thousands.
  const decimal = /[.,](\d{1,2})$/.exec(plain);
  const whole = (decimal ? plain.slice(0, decimal.index) : plain).replace(/[.,]/g, '');
  return Number(decimal ? `${whole}.${decimal[1]}` : whole);
};

/** Uses the negation before a word, if there is one that nothing else stands behind. */
export function takeNegation(words: QuestionWords, at: number): boolean {
  for (let index = at - 1; index >= Math.max(0, at - negationReach); index--) {
    const word = words.all[index];
    if (!word) return false;
    if (negation.test(word.plain) && !word.isUsed) {
      words.use(index);
      return true;
    }
    if (word.plain === 'than' && words.all[index - 1]?.plain === 'other') {
      words.use(index - 1, index + 1);
      return true;
    }
    if (/^(?:and|but|und|aber|et|mais|y|pero)$/.test(word.plain)) return false;
  }
  return false;
}

/** The numeric column that stands nearest to a number, by the names around it. */
function columnOfNumber(words: QuestionWords, names: TableNames, from: number, to: number): KnownColumn | undefined {
  const next = words.all[to];
  const measures = names.table.columns.filter((column) => isNumber(column) && !isNumberOfRow(column));
  if (next && currencies.test(next.plain)) {
    words.use(to);
    const named = measures.find((column) => words.all.some((word) => names.namesColumn(word, column)));
    return named ?? measures.find((column) => names.hasTermOf(column, columnsOfMoney));
  }
  // "More than 3 orders" counts rows and compares no cell.
  if (next && (names.namesTable(next) || next.plain === 'percent' || next.plain === '%')) return undefined;
  const near = [...words.all.keys()]
    .filter((at) => at < from || at >= to)
    .sort((one, other) => Math.abs(one - from) - Math.abs(other - from));
  for (const isDirect of [true, false])
    for (const at of near) {
      const word = words.all[at] as QuestionWord;
      const column = measures.find((own) => (isDirect ? names.saysColumn(word, own) : names.namesColumn(word, own)));
      if (column) return column;
    }
  const isUnit = next?.term !== undefined && !next.isUsed && !lightTerms.has(next.term);
  return measures.length === 1 && !isUnit ? measures[0] : undefined;
}

function* findNumbers(words: QuestionWords, names: TableNames): Generator<FoundCondition> {
  const between = words.find(betweenNumbers);
  const column = between && columnOfNumber(words, names, between.from, between.to);
  if (between && column) {
    words.use(between.from, between.to);
    for (const [operator, at] of [
      ['>=', 1],
      ['<=', 2],
    ] as const)
      yield {
        at: between.from,
        condition: { kind: 'compare', column, operator, value: asNumber(between.groups[at] ?? ''), not: false },
      };
  }
  for (const [operator, pattern] of comparisons) {
    const found = words.find(pattern);
    const compared = found && columnOfNumber(words, names, found.from, found.to);
    if (!found || !compared) continue;
    words.use(found.from, found.to);
    const value = asNumber(found.groups.slice(1).find(Boolean) ?? '');
    const not = takeNegation(words, found.from);
    yield { at: found.from, condition: { kind: 'compare', column: compared, operator, value, not } };
  }
}

/** A bare number beside the name of its column: "for 3 years", "quantity 10". */
function* findEqualNumbers(words: QuestionWords, names: TableNames): Generator<FoundCondition> {
  for (const [at, { plain, isUsed }] of words.all.entries()) {
    if (isUsed || !/^\d[\d.,]*$/.test(plain)) continue;
    const beside = [at + 1, at - 1, at - 2].flatMap((index) => words.all[index] ?? []);
    const column = names.table.columns.find(
      (own) => isNumber(own) && !isNumberOfRow(own) && beside.some((word) => names.namesColumn(word, own)),
    );
    if (!column) continue;
    words.use(at);
    yield {
      at,
      condition: { kind: 'compare', column, operator: '=', value: asNumber(plain), not: takeNegation(words, at) },
    };
  }
}

function* findDates(words: QuestionWords, names: TableNames): Generator<FoundCondition> {
  const dates = names.table.columns.filter(isDate);
  const named = dates.filter((column) =>
    words.all.some((word) => names.saysColumn(word, column) && !names.namesTable(word)),
  );
  const column = named.length === 1 ? named[0] : dates.length === 1 ? dates[0] : undefined;
  if (!column) return;
  for (let most = 4; most > 0; most--) {
    const found = takeDateRange(words);
    if (!found) return;
    const not = takeNegation(words, found.from);
    yield { at: found.from, condition: { kind: 'date', column, range: found.range, not } };
  }
}

const isRunOf = (terms: readonly string[], run: readonly string[]) =>
  terms.some((_, at) => run.every((term, index) => terms[at + index] === term));

/** The cells that words of the question name: the longest phrases first, whole cells before parts of them. */
export function* findCells(
  words: QuestionWords,
  names: TableNames,
  cells: readonly FoundCell[],
  { fewest }: { fewest: number },
): Generator<FoundCondition> {
  for (let length = longestPhrase; length >= fewest; length--)
    for (let at = 0; at + length <= words.all.length; at++) {
      const phrase = words.all.slice(at, at + length);
      const [first, last] = [phrase[0], phrase.at(-1)];
      if (phrase.some(({ isUsed }) => isUsed) || first?.term === undefined || last?.term === undefined) {
        if (!(length === 1 && first && !first.isUsed && /^\d/.test(first.plain))) continue;
      }
      const run = phrase.flatMap(({ term, plain }) => term ?? (/^\d/.test(plain) ? plain : []));
      if (run.length < fewest || phrase.every((word) => names.saysTable(word))) continue;
      const whole = cells.filter(({ terms }) => terms.length === run.length && isRunOf(terms, run));
      const isVague = phrase.every(
        (word) =>
          (word.term && lightTerms.has(word.term)) || names.table.columns.some((own) => names.saysColumn(word, own)),
      );
      const found = whole.length > 0 ? whole : isVague ? [] : cells.filter(({ terms }) => isRunOf(terms, run));
      if (found.length === 0) continue;
      const beside = [words.all[at - 1], words.all[at + length]].flatMap((word) => word ?? []);
      const own = found.filter(({ column }) => beside.some((word) => names.saysColumn(word, column)));
      const chosen = own.length > 0 ? own : found;
      words.use(at, at + length);
      yield {
        at,
        condition: {
          kind: 'cells',
          column: [...new Set(chosen.map(({ column }) => column))],
          values: [...new Set(chosen.map(({ value }) => value))],
          not: takeNegation(words, at),
        },
      };
    }
}

const oppositeOf = /^(?:un|non|in|im|nicht)(?=\p{L}{3})/u;

/** Columns with yes or no: "not paid", "unpaid". */
export function* findFlags(words: QuestionWords, names: TableNames): Generator<FoundCondition> {
  const flags = names.table.columns.filter(({ type }) => type === 'boolean');
  for (const [at, word] of words.all.entries()) {
    if (word.isUsed || negation.test(word.plain)) continue;
    const said = flags.find((column) => names.saysColumn(word, column));
    const opposite = word.plain.replace(oppositeOf, '');
    const denied =
      said || opposite === word.plain ? undefined : flags.find((column) => names.saysColumn(opposite, column));
    const column = said ?? denied;
    if (!column) continue;
    words.use(at);
    const not = takeNegation(words, at) !== (denied !== undefined);
    yield { at, condition: { kind: 'flag', column, not } };
  }
}

/** "Tickets without an assignee". */
export function* findEmpty(words: QuestionWords, names: TableNames): Generator<FoundCondition> {
  for (const [at, { plain, isUsed }] of words.all.entries()) {
    if (isUsed || !isWithout.test(plain)) continue;
    const next = words.all.findIndex((word, index) => index > at && word.term !== undefined);
    const word = words.all[next];
    const said = word && next <= at + 3 ? names.table.columns.filter((own) => names.saysColumn(word, own)) : [];
    const column = said.find((own) => word && names.isNamed(word, own)) ?? said[0];
    if (!word || !column || column.type === 'boolean' || names.saysTable(word)) continue;
    words.use(at, next + 1);
    yield { at, condition: { kind: 'empty', column, not: false } };
  }
}

export function* findMeasured(words: QuestionWords, names: TableNames): Generator<FoundCondition> {
  yield* findDates(words, names);
  yield* findNumbers(words, names);
  yield* findEqualNumbers(words, names);
}
