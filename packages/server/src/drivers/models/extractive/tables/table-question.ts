import { folded, termsOf } from '../../../../lib/text/terms.ts';
import { genericTerms } from '../words/generic-words.ts';
import { synonymsOf } from '../words/synonyms.ts';
import { comparisons, type Figure, figureWords, groupWords, monthOf } from './figure-words.ts';
import type { KnownColumn, KnownTable } from './read-tables.ts';

/** A question for a figure over a table, as far as its words tell. */
export interface TableQuestion {
  table: KnownTable;
  figure: Figure;
  /** The column that is added up or compared; the rows are counted without one. */
  measure: KnownColumn | undefined;
  /** Different values of this column are counted, not rows. */
  distinct: KnownColumn | undefined;
  group: KnownColumn | undefined;
  /** Words that have to be values of cells, as they were written. */
  values: string[];
  compare: { column: KnownColumn; operator: string; value: number }[];
  dates: { column: KnownColumn; year: number | undefined; month: number | undefined }[];
}

const isNumber = ({ type }: KnownColumn) => type === 'integer' || type === 'number';
const isDate = ({ type }: KnownColumn) => type === 'date' || type === 'datetime';
const wordsOf = (name: string) => termsOf(name.replaceAll('_', ' '));
const termsOfColumn = ({ name, label }: KnownColumn) => new Set([...wordsOf(name), ...wordsOf(label ?? '')]);

/** Whether a word of the question names something, itself or by a synonym. */
const names = (term: string, named: ReadonlySet<string>) =>
  named.has(term) || [...synonymsOf(term)].some((other) => named.has(other));

function figureIn(plain: string): Figure | undefined {
  // "How many" wins over "most" in "how many at most".
  const asked = figureWords.filter(([, words]) => new RegExp(words.source).test(plain)).map(([figure]) => figure);
  return asked[0];
}

const asNumber = (text: string) =>
  Number(
    text
      .replace(/[.,]$/, '')
      .replace(/,(?=\d{3}\b)/g, '')
      .replace(',', '.'),
  );

/** Understands a question for one table; undefined when it asks for no figure, or not of this table. */
export function readTableQuestion(text: string, table: KnownTable): TableQuestion | undefined {
  let plain = folded(text).replace(/[’]/g, "'").replace(/\s+/g, ' ').trim();
  const figure = figureIn(plain);
  if (!figure || plain.length > 300) return undefined;
  const { columns } = table;
  const columnNamed = (word: string) => {
    const terms = termsOf(word);
    return terms.length > 0
      ? columns.find((column) => terms.every((term) => names(term, termsOfColumn(column))))
      : undefined;
  };
  const compare: TableQuestion['compare'] = [];
  const numeric = columns.filter(isNumber);
  const named = numeric.filter((column) => termsOf(plain).some((term) => names(term, termsOfColumn(column))));
  const measure = named[0] ?? (numeric.length === 1 ? numeric[0] : undefined);
  for (const [operator, words] of comparisons) {
    const [found, value = ''] = words.exec(plain) ?? [];
    if (!found || !measure || !Number.isFinite(asNumber(value))) continue;
    compare.push({ column: measure, operator, value: asNumber(value) });
    plain = plain.replace(found, ' ');
  }
  let group: KnownColumn | undefined;
  for (const [found, word = ''] of plain.matchAll(groupWords)) {
    const column = columnNamed(word);
    if (!column || group) continue;
    group = column;
    plain = plain.replace(found, ' ');
  }
  for (const [, words] of figureWords) plain = plain.replaceAll(words, ' ');

  const tableTerms = new Set([...wordsOf(table.name), ...wordsOf(table.sql_name)]);
  const dateColumn = columns.find(isDate);
  let [year, month]: (number | undefined)[] = [];
  let isNamed = false;
  let distinct: KnownColumn | undefined;
  const values: string[] = [];
  const written = new Map(
    (text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.&-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? []).map((word) => [folded(word), word]),
  );
  for (const word of plain.match(/[\p{L}\p{N}][\p{L}\p{N}'.&-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu) ?? []) {
    const [term] = termsOf(word);
    if (term === undefined) continue;
    const column =
      columns.find((one) => termsOfColumn(one).has(term)) ?? columns.find((one) => names(term, termsOfColumn(one)));
    if (names(term, tableTerms)) isNamed = true;
    else if (dateColumn && /^(?:19|20)\d{2}$/.test(word)) year = Number(word);
    else if (dateColumn && monthOf(word) !== undefined) month = monthOf(word);
    else if (column) {
      isNamed = true;
      if (figure === 'count' && !isNumber(column) && !isDate(column)) distinct ??= column;
    } else if (!genericTerms.has(term)) values.push(written.get(word) ?? word);
  }
  // "How many orders per country" counts rows, "which customer has the most orders" groups them.
  if (
    (figure === 'most' || figure === 'least') &&
    !group &&
    termsOf(text).some((term) => tableTerms.has(term)) &&
    named.length === 0
  )
    group = columns.find(
      (column) => column.type === 'text' && termsOf(text).some((term) => termsOfColumn(column).has(term)),
    );
  if (!isNamed && !group) return undefined;
  if (figure === 'count' && termsOf(text).some((term) => tableTerms.has(term))) distinct = undefined;
  const byTime = (figure === 'most' || figure === 'least') && !group && named.length === 0 ? dateColumn : undefined;
  const isTime =
    byTime &&
    /\b(?:latest|newest|most recent|last|earliest|oldest|neueste|letzte|alteste|fruheste|recent|recente|ancien|reciente|antigu)/.test(
      folded(text),
    );
  const compared = isTime ? byTime : measure;
  if (figure !== 'count' && !compared && !group) return undefined;
  return {
    ...{ table, figure, group, values, compare },
    measure:
      figure === 'count'
        ? undefined
        : group && named.length === 0 && figure !== 'sum' && figure !== 'average'
          ? undefined
          : compared,
    distinct: group ? undefined : distinct,
    dates: dateColumn && (year !== undefined || month !== undefined) ? [{ column: dateColumn, year, month }] : [],
  };
}
