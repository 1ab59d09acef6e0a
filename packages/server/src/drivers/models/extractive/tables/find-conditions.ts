import { folded } from '../../../../lib/text/terms.ts';
import { isComparedWith, isDirectedAt, takeMotion } from './directions.ts';
import type { FoundCell } from './probe-cells.ts';
import type { QuestionWord, QuestionWords } from './question-words.ts';
import type { TableNames } from './table-names.ts';
import { type Condition, isDate } from './table-query.ts';
import { isWithout, lightTerms, negation } from './table-words.ts';

/** A condition and the word of the question that it begins with. */
export interface FoundCondition {
  at: number;
  condition: Condition;
}

const [longestPhrase, negationReach] = [6, 4];

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

const isNameOfDate = ({ plain }: QuestionWord, { table }: TableNames) =>
  table.columns.some((column) => isDate(column) && folded(column.name).split('_').includes(plain));

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
      // "Opened" is the column `opened_on` and no cell "open".
      if (
        length === 1 &&
        first &&
        isNameOfDate(first, names) &&
        !cells.some(({ value }) => folded(value) === first.plain)
      )
        continue;
      const whole = cells.filter(({ terms }) => terms.length === run.length && isRunOf(terms, run));
      const isVague = phrase.every(
        (word) =>
          (word.term && lightTerms.has(word.term)) || names.table.columns.some((own) => names.saysColumn(word, own)),
      );
      const found = whole.length > 0 ? whole : isVague ? [] : cells.filter(({ terms }) => isRunOf(terms, run));
      if (found.length === 0) continue;
      const beside = [words.all[at - 1], words.all[at + length]].flatMap((word) => word ?? []);
      const own = found.filter(({ column }) => beside.some((word) => names.saysColumn(word, column)));
      const directed = found.filter(({ column }) => isDirectedAt(words, at, names, column));
      const chosen = own.length > 0 ? own : directed.length > 0 ? directed : found;
      // A cell beside which "after" or "than" stands is compared with, which no condition says.
      if (isComparedWith(words, at) || new Set(chosen.map(({ column }) => column)).size > 1) {
        words.refuse(at, at + length);
        continue;
      }
      words.use(at, at + length);
      if (chosen[0]) takeMotion(words, at, names, chosen[0].column);
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
