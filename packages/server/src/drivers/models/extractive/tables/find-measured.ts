import { columnOfAdjective } from './compared-columns.ts';
import { type DateRange, takeDateRange } from './date-ranges.ts';
import { type FoundCondition, takeNegation } from './find-conditions.ts';
import type { FoundWords, QuestionWord, QuestionWords } from './question-words.ts';
import type { KnownColumn } from './read-tables.ts';
import type { TableNames } from './table-names.ts';
import { type Condition, isDate, isMeasure, isYear } from './table-query.ts';
import {
  betweenNumbers,
  type Compared,
  columnsOfMoney,
  comparisons,
  countIn,
  currencies,
  lightTerms,
} from './table-words.ts';

const asNumber = (text: string) => {
  const inWords = countIn(text);
  if (inWords !== undefined) return inWords;
  const plain = text.replace(/[.,]$/, '');
  // The last sign before one or two digits is the decimal sign; others part thousands.
  const decimal = /[.,](\d{1,2})$/.exec(plain);
  const whole = (decimal ? plain.slice(0, decimal.index) : plain).replace(/[.,]/g, '');
  return Number(decimal ? `${whole}.${decimal[1]}` : whole);
};

const saysAge = /^(?:years? old|jahre alt|ans d'age|anos de)\b/;
const isYearNumber = (text: string) => /^(?:19|20)\d{2}$/.test(text);

/** The numeric column that stands nearest to a number, by the names around it. */
function columnOfNumber(words: QuestionWords, names: TableNames, from: number, to: number): KnownColumn | undefined {
  const next = words.all[to];
  const measures = names.table.columns.filter(isMeasure);
  const behind = words.all
    .slice(to, to + 2)
    .map(({ plain }) => plain)
    .join(' ');
  if (saysAge.test(behind)) {
    words.use(to, to + 2);
    return columnOfAdjective(names, 'age');
  }
  // "2500 m" is the column `altitude_m`.
  const ofUnit = measures.filter(({ name }) => next && name.includes('_') && name.split('_').at(-1) === next.plain);
  if (ofUnit.length === 1) {
    words.use(to);
    return ofUnit[0];
  }
  // "Who is under 30?"
  if (!next && names.isOfPeople && /^(?:is|are|was|were|ist|sind|war|waren)$/.test(words.all[from - 1]?.plain ?? ''))
    return columnOfAdjective(names, 'age');
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
  const isYears = isYearNumber(between?.groups[1] ?? '') && isYearNumber(between?.groups[2] ?? '');
  const column = between && !isYears ? columnOfNumber(words, names, between.from, between.to) : undefined;
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
  for (const [operator, pattern, adjective] of comparisons) {
    const found = words.find(pattern);
    const written = found?.groups.slice(1).find(Boolean) ?? '';
    // "Older than 2015", "up to 2018" and "bis zu 2018" are times.
    if (!found || (isYearNumber(written) && /^(?:older|alter|younger|junger|up to|bis)\b/.test(found.groups[0])))
      continue;
    const compared = columnCompared(words, names, found, adjective);
    if (!compared) continue;
    words.use(found.from, found.to);
    const not = takeNegation(words, found.from);
    yield { at: found.from, condition: { kind: 'compare', column: compared, operator, value: asNumber(written), not } };
  }
}

/** The column of "more than 5", or the one that "heavier than 5" compares. */
function columnCompared(
  words: QuestionWords,
  names: TableNames,
  { from, to }: FoundWords,
  adjective: Compared | undefined,
): KnownColumn | undefined {
  if (!adjective) return columnOfNumber(words, names, from, to);
  const behind = words.all.slice(to, to + 2);
  const unit = behind[0];
  const own = columnOfAdjective(names, adjective);
  if (adjective === 'age' || !own) return own;
  // "Longer than 5 days" names the column by its unit.
  const said = unit && names.table.columns.find((column) => isMeasure(column) && names.saysColumn(unit, column));
  return said ?? own;
}

/** A bare number beside the name of its column: "for 3 years", "quantity 10". */
function* findEqualNumbers(words: QuestionWords, names: TableNames): Generator<FoundCondition> {
  const taken = new Set<KnownColumn>();
  for (const [at, { plain, isUsed }] of words.all.entries()) {
    if (isUsed || !/^\d[\d.,]*$/.test(plain)) continue;
    const beside = [at + 1, at - 1, at - 2].flatMap((index) => words.all[index] ?? []);
    const near = names.table.columns.find(
      (own) => isMeasure(own) && beside.some((word) => names.namesColumn(word, own)),
    );
    const behind = words.all
      .slice(at + 1, at + 3)
      .map((word) => word.plain)
      .join(' ');
    const isAge = saysAge.test(behind);
    const column = isAge ? columnOfAdjective(names, 'age') : near;
    if (!column) continue;
    // Two numbers for one column are no pair of conditions that both hold.
    if (taken.has(column)) {
      words.refuse(at);
      continue;
    }
    taken.add(column);
    words.use(at, isAge ? at + 3 : at + 1);
    yield {
      at,
      condition: { kind: 'compare', column, operator: '=', value: asNumber(plain), not: takeNegation(words, at) },
    };
  }
}

/** Conditions for a column of years, such as `year_built`; undefined for a time that is no whole year. */
function conditionsOfYear(
  column: KnownColumn,
  { from, before, label }: DateRange,
  not: boolean,
): Condition[] | undefined {
  if (!/^\D*\d{4}(?: – \d{4})?$/.test(label)) return undefined;
  const years: Condition[] = [];
  if (from) years.push({ kind: 'compare', column, operator: '>=', value: Number(from.slice(0, 4)), not });
  if (before) years.push({ kind: 'compare', column, operator: '<', value: Number(before.slice(0, 4)), not });
  return years.length > 0 && (years.length === 1 || !not) ? years : undefined;
}

/** The column of times that a question names, by a word of its name or by its verb; the only one where it names none. */
function columnOfTimes(words: QuestionWords, names: TableNames): KnownColumn | undefined {
  const times = names.table.columns.filter((column) => isDate(column) || isYear(column));
  const said = times.filter((column) =>
    words.all.some((word) => names.saysColumn(word, column) && !names.namesTable(word)),
  );
  const named =
    said.length > 0 ? said : times.filter((column) => words.all.some((word) => names.isVerbOf(word, column)));
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  const meant = times.filter((column) => words.all.some((word) => names.namesColumn(word, column)));
  if (meant.length > 0) return meant.length === 1 ? meant[0] : undefined;
  return times.length === 1 ? times[0] : undefined;
}

const comparesNumbers =
  /^(?:than|over|above|under|below|als|uber|unter|least|most|mindestens|hochstens|exactly|genau|wenigstens)$/;

function* findDates(words: QuestionWords, names: TableNames): Generator<FoundCondition> {
  const column = columnOfTimes(words, names);
  const hasTimes = names.table.columns.some((own) => isDate(own) || isYear(own));
  if (!hasTimes) return;
  let hasSpan = false;
  for (let most = 4; most > 0; most--) {
    const found = takeDateRange(words);
    if (!found) return;
    const { range, from, to } = found;
    const isSpan = range.from !== undefined && range.before !== undefined;
    // "2025 and 2026" are no two conditions that both hold, and "over 2000" is no time.
    const isRefused = (isSpan && hasSpan) || comparesNumbers.test(words.all[from - 1]?.plain ?? '');
    hasSpan ||= isSpan;
    const not = takeNegation(words, from);
    const conditions: Condition[] | undefined =
      !column || isRefused
        ? undefined
        : isYear(column)
          ? conditionsOfYear(column, range, not)
          : [{ kind: 'date', column, range, not }];
    if (!conditions) words.refuse(from, to);
    else for (const condition of conditions) yield { at: from, condition };
  }
}

/** The conditions for numbers and times. */
export function* findMeasured(words: QuestionWords, names: TableNames): Generator<FoundCondition> {
  yield* findNumbers(words, names);
  yield* findDates(words, names);
  yield* findEqualNumbers(words, names);
}
