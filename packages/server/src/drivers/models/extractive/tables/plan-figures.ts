import type { ModelTool } from '../../driver.ts';
import type { Turn, TurnToolCall } from '../read-turn.ts';
import type { Phrases } from '../words/phrases.ts';
import { buildProbe, buildQuery, type CellFilter, filtersFrom, type Query } from './build-query.ts';
import { tablesIn } from './read-tables.ts';
import { readTableQuestion, type TableQuestion } from './table-question.ts';

const tool = 'tables_sql';

/** The SQL to run, and the answer once it has run. No answer after all calls: the tables can't tell. */
export interface FigurePlan {
  queries: Query[];
  answer?: string[] | undefined;
}

const rowsOf = ({ result }: TurnToolCall): Record<string, unknown>[] | undefined => {
  if (!result || result.is_error) return undefined;
  try {
    const { rows } = JSON.parse(result.output) as { rows?: unknown };
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : undefined;
  } catch {
    return undefined;
  }
};

const labelOf = ({ name, label }: { name: string; label: string | undefined }) => label ?? name.replaceAll('_', ' ');

function describeFilters({ compare, dates }: TableQuestion, filters: readonly CellFilter[]): string {
  const parts = [
    ...filters.map(({ value, columns }) => `${columns.map(labelOf).join('/')}: ${value}`),
    ...compare.map(({ column, operator, value }) => `${labelOf(column)} ${operator} ${value}`),
    ...dates.map(({ column, year, month }) => `${labelOf(column)}: ${[year, month].filter(Boolean).join('-')}`),
  ];
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

function describeFigure(
  question: TableQuestion,
  filters: readonly CellFilter[],
  rows: readonly Record<string, unknown>[],
  phrases: Phrases,
): string[] | undefined {
  const { table, figure, measure, distinct, group } = question;
  const source = `[${table.name}]`;
  const of = measure ? labelOf(measure) : '';
  const counted = distinct ? `${phrases.different(labelOf(distinct))}` : phrases.rows(table.name);
  const names = {
    count: counted,
    sum: phrases.sum(of),
    average: phrases.average(of),
    ...{ most: measure ? phrases.most(of) : counted, least: measure ? phrases.least(of) : counted },
  };
  const title = `${names[figure]}${describeFilters(question, filters)}`;
  const [first] = rows;
  if (group) {
    if (!first) return undefined;
    const lines = rows.map((row) => `- ${labelOf(group)} ${row['value'] ?? '–'}: ${row['figure']} ${source}`);
    return [`${title}:`, lines.join('\n')];
  }
  if (first && 'figure' in first)
    return first['figure'] === null || (figure !== 'count' && Number(first['rows']) === 0)
      ? undefined
      : [`${title}: ${first['figure']} ${source}`];
  if (!first) return undefined;
  const cells = Object.entries(first).filter(
    ([name, value]) => name !== 'id' && value !== null && typeof value !== 'object',
  );
  return [`${title}:`, `- “${cells.map(([name, value]) => `${name}: ${value}`).join(', ')}” ${source}`];
}

/**
 * Answers a question for a figure with the SQL tool: a first query finds in which columns the words of the question stand,
 * a second one counts. Undefined when the question asks for no figure of these tables.
 */
export function planFigures(turn: Turn, tools: readonly ModelTool[], phrases: Phrases): FigurePlan | undefined {
  const made = turn.made.filter(({ name }) => name === tool);
  const tables = tablesIn(tools);
  for (const { query } of turn.readings) {
    const understood = tables.flatMap((table) => readTableQuestion(query, table) ?? []);
    // The table that leaves the fewest words unexplained.
    const [question] = understood.sort((one, other) => one.values.length - other.values.length);
    if (!question) continue;
    const probe = buildProbe(question);
    if (question.values.length > 0 && !probe) return undefined;
    const [first, second] = probe ? made : [undefined, ...made];
    if (probe && !first) return { queries: [probe] };
    const [counts] = first ? (rowsOf(first) ?? []) : [{}];
    const filters = counts && filtersFrom(question, counts);
    if (!filters) return { queries: probe ? [probe] : [] };
    const queries = [...(probe ? [probe] : []), buildQuery(question, filters)];
    if (!second) return { queries };
    const rows = rowsOf(second);
    return { queries, answer: rows && describeFigure(question, filters, rows, phrases) };
  }
  return undefined;
}
