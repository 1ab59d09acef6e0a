import type { DateRange } from './date-ranges.ts';
import type { KnownColumn, KnownTable } from './read-tables.ts';

/** A condition that the words of a question set for the rows. */
export type Condition =
  | { kind: 'cells'; column: KnownColumn[]; values: string[]; not: boolean }
  | { kind: 'flag'; column: KnownColumn; not: boolean }
  | { kind: 'empty'; column: KnownColumn; not: boolean }
  | { kind: 'compare'; column: KnownColumn; operator: '>' | '>=' | '<' | '<=' | '='; value: number; not: boolean }
  | { kind: 'date'; column: KnownColumn; range: DateRange; not: boolean };

export type Figure = 'count' | 'sum' | 'average' | 'least' | 'most';

/** What is asked of the rows that fulfil the conditions. */
export type Asked =
  /** A figure, for all rows or for each value of a column; of ranked groups only the first are shown. */
  | {
      kind: 'figure';
      figure: Figure;
      measure: KnownColumn | undefined;
      distinct: KnownColumn | undefined;
      group: KnownColumn | undefined;
      ranked: 'asc' | 'desc' | undefined;
      limit: number;
    }
  /** The rows with the highest or lowest value of a column. */
  | { kind: 'top'; by: KnownColumn; order: 'asc' | 'desc'; limit: number }
  | { kind: 'rows' };

/** A question as it is looked up in one table. */
export interface TableQuery {
  table: KnownTable;
  asked: Asked;
  conditions: Condition[];
}

export interface Statement {
  sql: string;
  params: (string | number)[];
}

const isNumber = ({ type }: KnownColumn): boolean => type === 'integer' || type === 'number';
export const isDate = ({ type }: KnownColumn): boolean => type === 'date' || type === 'datetime';
/** Numbers that name a row and measure nothing. */
export const isNumberOfRow = ({ name }: KnownColumn): boolean =>
  /(?:^|_)(?:id|no|nr|num|number|nummer|code|key|plz|zip)$/.test(name);

/** A whole number that is a year, such as `year_built`. */
export const isYear = ({ name, type }: KnownColumn): boolean =>
  type === 'integer' && /(?:^|_)(?:year|jahr|annee|ano)(?:_|$)|jahr$/.test(name);
export const isMeasure = (column: KnownColumn): boolean =>
  isNumber(column) && !isNumberOfRow(column) && !isYear(column);

export const [mostGroups, mostRows, mostTied] = [20, 20, 10];

/** Names of tables and columns consist of letters, digits and underscores; values are always parameters. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '')}"`;
