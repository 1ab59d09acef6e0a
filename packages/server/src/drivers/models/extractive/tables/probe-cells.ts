import { type QuestionWord, type QuestionWords, wordTerms } from './question-words.ts';
import type { KnownColumn, KnownTable } from './read-tables.ts';
import { identifier, isNumberOfRow, type Statement } from './table-query.ts';

/** A cell that has words of the question. */
export interface FoundCell {
  column: KnownColumn;
  value: string;
  terms: string[];
}

const [mostWords, mostColumns, mostCells, longestCell] = [30, 14, 30, 120];

const probedColumns = ({ columns }: KnownTable) =>
  columns.filter((column) => column.type === 'text' || isNumberOfRow(column)).slice(0, mostColumns);

const isProbed = ({ plain, term }: QuestionWord) => term !== undefined || /^\d/.test(plain);

/** Other endings than those of the question are found by the beginning of a word. */
function beginningOf({ written, plain }: QuestionWord): string {
  if (written.startsWith('<')) return written;
  const word = written.toLowerCase().replace(/['’]s$/, '');
  return plain.length <= 3 ? ` ${word} ` : word.slice(0, Math.max(4, word.length - 2));
}

/** Asks for the cells of a table that have words of the question. */
export function buildProbe({ all }: QuestionWords, table: KnownTable): Statement | undefined {
  const [words, columns] = [all.filter(isProbed).slice(0, mostWords), probedColumns(table)];
  if (words.length === 0 || columns.length === 0) return undefined;
  const params = [...new Set(words.map(beginningOf))];
  const parts = columns.map((column, at) => {
    const cell = `${identifier(column.name)}::text`;
    const has = params.map((_, index) => `position(lower($${index + 1}::text) in ' ' || lower(${cell}) || ' ') > 0`);
    return `(select ${at} as c, ${cell} as v, count(*) as n from ${identifier(table.sql_name)} where length(${cell}) <= ${longestCell} and (${has.join(' or ')}) group by 2 order by 3 desc, 2 limit ${mostCells})`;
  });
  return { sql: parts.join(' union all '), params };
}

/** The words of a cell, as those of a question are compared with them. */
export function probedTerms(value: string): string[] {
  const terms = wordTerms(value);
  return terms.length > 0 ? terms : [value.toLowerCase()];
}

/** The cells that a probe has found. */
export function cellsFrom(table: KnownTable, rows: readonly Record<string, unknown>[]): FoundCell[] {
  const columns = probedColumns(table);
  return rows.flatMap(({ c, v }) => {
    const column = columns[Number(c)];
    if (!column || typeof v !== 'string') return [];
    return [{ column, value: v, terms: probedTerms(v) }];
  });
}
