import type { KnownColumn } from './read-tables.ts';
import type { TableQuestion } from './table-question.ts';

export interface Query {
  sql: string;
  params: (string | number)[];
}

/** A value of the question and the columns whose cells have it. */
export interface CellFilter {
  value: string;
  columns: KnownColumn[];
  /** Whole cells are equal to it; otherwise they contain it. */
  whole: boolean;
}

const [mostPhrases, mostColumns, mostGroups] = [10, 12, 20];
/** Names of tables and columns consist of letters, digits and underscores; values are always parameters. */
const identifier = (name: string) => `"${name.replaceAll('"', '')}"`;
const textOf = (column: KnownColumn) => `lower(${identifier(column.name)}::text)`;
const searchable = ({ table }: TableQuestion) =>
  table.columns.filter(({ type }) => type === 'text' || type === 'integer').slice(0, mostColumns);

/** The words that may be values, also several in a row: "hotel arken", "hotel", "arken". */
export function phrasesOf({ values }: TableQuestion): string[] {
  const phrases: string[] = [];
  for (let length = Math.min(3, values.length); length > 0; length--)
    for (let at = 0; at + length <= values.length; at++) phrases.push(values.slice(at, at + length).join(' '));
  return phrases.slice(0, mostPhrases);
}

/** A plural is looked for by its singular. */
const contained = (phrase: string) => phrase.toLowerCase().replace(/(?<=\p{L}{3})s$/u, '');

/** Counts for each phrase and column the cells that are equal to it, and those that contain it. */
export function buildProbe(question: TableQuestion): Query | undefined {
  const [phrases, columns] = [phrasesOf(question), searchable(question)];
  if (phrases.length === 0 || columns.length === 0) return undefined;
  const params: string[] = [];
  const counts = phrases.flatMap((phrase, at) => {
    params.push(phrase.toLowerCase(), contained(phrase));
    const [equal, part] = [`$${params.length - 1}`, `$${params.length}`];
    return columns.flatMap((column, index) => [
      `sum(case when ${textOf(column)} = ${equal}::text then 1 else 0 end) as e${at}_${index}`,
      `sum(case when position(${part}::text in ${textOf(column)}) > 0 then 1 else 0 end) as p${at}_${index}`,
    ]);
  });
  return { sql: `select ${counts.join(', ')} from ${identifier(question.table.sql_name)}`, params };
}

/** The filters that the probe shows; undefined when a word of the question stands in no cell. */
export function filtersFrom(question: TableQuestion, counts: Record<string, unknown>): CellFilter[] | undefined {
  const columns = searchable(question);
  const open = new Set(question.values);
  const filters: CellFilter[] = [];
  for (const [at, phrase] of phrasesOf(question).entries()) {
    const words = phrase.split(' ');
    if (!words.every((word) => open.has(word))) continue;
    const having = (kind: 'e' | 'p') => columns.filter((_, index) => Number(counts[`${kind}${at}_${index}`] ?? 0) > 0);
    const [equal, part] = [having('e'), having('p')];
    if (equal.length + part.length === 0) continue;
    const whole = equal.length > 0;
    filters.push({ value: whole ? phrase.toLowerCase() : contained(phrase), columns: whole ? equal : part, whole });
    for (const word of words) open.delete(word);
  }
  return open.size === 0 ? filters : undefined;
}

function conditionsOf({ compare, dates }: TableQuestion, filters: readonly CellFilter[], params: Query['params']) {
  const bind = (value: string | number, type: 'text' | 'numeric') => {
    params.push(value);
    return `$${params.length}::${type}`;
  };
  return [
    ...filters.map(({ value, columns, whole }) => {
      const bound = bind(value, 'text');
      const either = columns.map((column) =>
        whole ? `${textOf(column)} = ${bound}` : `position(${bound} in ${textOf(column)}) > 0`,
      );
      return `(${either.join(' or ')})`;
    }),
    ...compare.map(({ column, operator, value }) => `${identifier(column.name)} ${operator} ${bind(value, 'numeric')}`),
    ...dates.flatMap(({ column, year, month }) => [
      ...(year === undefined ? [] : [`extract(year from ${identifier(column.name)}) = ${bind(year, 'numeric')}`]),
      ...(month === undefined ? [] : [`extract(month from ${identifier(column.name)}) = ${bind(month, 'numeric')}`]),
    ]),
  ];
}

/** The query that answers the question. */
export function buildQuery(question: TableQuestion, filters: readonly CellFilter[]): Query {
  const { table, figure, measure, distinct, group } = question;
  const params: Query['params'] = [];
  const conditions = conditionsOf(question, filters, params);
  const from = `from ${identifier(table.sql_name)}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''}`;
  const column = measure && identifier(measure.name);
  const counted = distinct ? `count(distinct ${identifier(distinct.name)})` : 'count(*)';
  const figures = {
    count: counted,
    sum: `sum(${column})`,
    average: `round(avg(${column})::numeric, 2)`,
    ...{ most: column ? `max(${column})` : counted, least: column ? `min(${column})` : counted },
  };
  if (group) {
    const ranked = figure === 'most' || figure === 'least';
    const order = figure === 'least' ? 'asc' : 'desc';
    const value = ranked && column ? `sum(${column})` : figures[figure];
    return {
      sql: `select ${identifier(group.name)} as value, ${value} as figure ${from} group by 1 order by 2 ${order} nulls last, 1 limit ${ranked ? 1 : mostGroups}`,
      params,
    };
  }
  if (column && (figure === 'most' || figure === 'least'))
    return {
      sql: `select * ${from}${conditions.length > 0 ? ' and' : ' where'} ${column} is not null order by ${column} ${figure === 'most' ? 'desc' : 'asc'} limit 1`,
      params,
    };
  return { sql: `select ${figures[figure]} as figure, count(*) as rows ${from}`, params };
}
