import type { Phrases } from '../words/phrases.ts';
import type { KnownColumn } from './read-tables.ts';
import type { Asked, Condition, TableQuery } from './table-query.ts';

type Row = Record<string, unknown>;

const labelOf = ({ name, label }: KnownColumn) => label ?? name.replaceAll('_', ' ');

function describeCondition(condition: Condition, phrases: Phrases): string {
  const not = condition.not ? `${phrases.not} ` : '';
  switch (condition.kind) {
    case 'cells':
      return `${condition.column.map(labelOf).join('/')}: ${not}${condition.values.slice(0, 5).join(', ')}`;
    case 'flag':
      return `${labelOf(condition.column)}: ${condition.not ? phrases.no : phrases.yes}`;
    case 'empty':
      return `${labelOf(condition.column)}: ${condition.not ? phrases.filled : phrases.empty}`;
    case 'compare':
      return `${labelOf(condition.column)} ${not}${condition.operator} ${condition.value}`;
    case 'date':
      return `${labelOf(condition.column)}: ${not}${condition.range.label}`;
  }
}

function titleOf({ table, asked, conditions }: TableQuery, phrases: Phrases): string {
  const said = conditions.map((condition) => describeCondition(condition, phrases)).join(', ');
  return `${nameOf(asked, table.name, phrases)}${said && ` (${said})`}`;
}

function nameOf(asked: Asked, table: string, phrases: Phrases): string {
  if (asked.kind === 'rows') return table;
  if (asked.kind === 'top') return (asked.order === 'desc' ? phrases.most : phrases.least)(labelOf(asked.by));
  const counted = asked.distinct ? phrases.different(labelOf(asked.distinct)) : phrases.rows(table);
  if (!asked.measure) return counted;
  const of = labelOf(asked.measure);
  return {
    count: counted,
    sum: phrases.sum(of),
    average: phrases.average(of),
    most: phrases.most(of),
    least: phrases.least(of),
  }[asked.figure];
}

const isShown = ([name, value]: [string, unknown]) =>
  name !== 'id' && name !== 'rows_in_all' && value !== null && value !== '' && typeof value !== 'object';

const quoteRow = (row: Row, source: string) =>
  `- “${Object.entries(row)
    .filter(isShown)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')}” ${source}`;

/** The first rows, and those that are level with the last of them. */
function withTied(rows: readonly Row[], limit: number, read: (row: Row) => unknown): Row[] {
  const last = rows[limit - 1];
  return rows.filter((row, at) => at < limit || (last !== undefined && String(read(row)) === String(read(last))));
}

/** The answer to a question from the rows that its statement returned; undefined when they have none. */
export function describeAnswer(query: TableQuery, rows: readonly Row[], phrases: Phrases): string[] | undefined {
  const { asked, table } = query;
  const source = `[${table.name}]`;
  const [first] = rows;
  if (!first) return undefined;
  const title = titleOf(query, phrases);
  if (asked.kind === 'rows') {
    const all = Number(first['rows_in_all'] ?? rows.length);
    const shown = rows.length < all ? phrases.firstOf(rows.length, all) : String(all);
    return [`${title}, ${shown}:`, rows.map((row) => quoteRow(row, source)).join('\n')];
  }
  if (asked.kind === 'top') {
    const shown = withTied(rows, asked.limit, (row) => row[asked.by.name]);
    return [`${title}:`, shown.map((row) => quoteRow(row, source)).join('\n')];
  }
  if (asked.group) {
    const group = labelOf(asked.group);
    const shown = asked.ranked ? withTied(rows, asked.limit, (row) => row['figure']) : rows;
    const lines = shown.map((row) => `- ${group} ${row['value'] ?? '–'}: ${row['figure']} ${source}`);
    return [`${title}:`, lines.join('\n')];
  }
  const isEmpty = first['figure'] === null || (asked.figure !== 'count' && Number(first['rows_in_all']) === 0);
  return isEmpty ? undefined : [`${title}: ${first['figure']} ${source}`];
}
