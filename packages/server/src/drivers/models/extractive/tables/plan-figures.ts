import type { ModelTool } from '../../driver.ts';
import type { Turn, TurnToolCall } from '../read-turn.ts';
import type { Phrases } from '../words/phrases.ts';
import { buildQuery } from './build-query.ts';
import { describeAnswer } from './describe-answer.ts';
import { buildProbe, cellsFrom } from './probe-cells.ts';
import { QuestionWords } from './question-words.ts';
import { readTableQuery, type UnderstoodQuestion } from './read-table-query.ts';
import { type KnownTable, tablesIn } from './read-tables.ts';
import type { Statement } from './table-query.ts';

const tool = 'tables_sql';
const [longestQuestion, mostTables] = [300, 4];

/** The SQL to run, and the answer once it has run. */
export interface FigurePlan {
  queries: Statement[];
  answer?: string[] | undefined;
  /** The question is about a table, and these of its words can not be looked up there. */
  unused?: string[] | undefined;
  /** Single rows are no answer: the question asks for a figure, a rank, or for what is not so. */
  excludesRows?: boolean;
}

const rowsOf = ({ result }: TurnToolCall): Record<string, unknown>[] => {
  if (!result || result.is_error) return [];
  try {
    const { rows } = JSON.parse(result.output) as { rows?: unknown };
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [];
  } catch {
    return [];
  }
};

/** The tables that a question may be about, the likeliest first. */
function candidatesFor(question: string, tables: readonly KnownTable[]): KnownTable[] {
  return tables
    .map((table) => readTableQuery(question, table, []))
    .filter(({ asksTable, asksFigure, names }) => (asksTable && names > 0) || asksFigure)
    .sort((one, other) => other.says - one.says || other.names - one.names || one.unused.length - other.unused.length)
    .slice(0, mostTables)
    .map(({ table }) => table);
}

const isBetter = (one: UnderstoodQuestion, other: UnderstoodQuestion) =>
  one.unused.length - other.unused.length ||
  Number(other.query !== undefined) - Number(one.query !== undefined) ||
  other.says - one.says ||
  other.names - one.names;

/**
 * Answers a question about rows with the SQL tool: a first query for each table finds the cells with words of the
 * question, the last one looks the answer up. Every word that carries meaning has to be used. Undefined when the
 * question is about none of these tables.
 */
export function planFigures(turn: Turn, tools: readonly ModelTool[], phrases: Phrases): FigurePlan | undefined {
  const made = turn.made.filter(({ name }) => name === tool);
  const tables = tablesIn(tools);
  const [reading] = turn.readings;
  if (!reading || reading.query.length > longestQuestion) return undefined;
  const probes = candidatesFor(reading.query, tables).map((table) => ({
    table,
    probe: buildProbe(new QuestionWords(reading.query), table),
  }));
  if (probes.length === 0) {
    const read = tables.map((table) => readTableQuery(reading.query, table, []));
    return read.some(({ isMeasured, isRefused }) => isMeasured || isRefused)
      ? { queries: [], excludesRows: true }
      : undefined;
  }
  const queries = probes.flatMap(({ probe }) => probe ?? []);
  if (made.length < queries.length) return { queries };
  const answers = made.slice(0, queries.length).map(rowsOf);
  const [best, next] = probes
    .map(({ table, probe }) =>
      readTableQuery(reading.query, table, probe ? cellsFrom(table, answers[queries.indexOf(probe)] ?? []) : []),
    )
    .sort(isBetter);
  if (!best) return { queries };
  // Two tables that fit equally well, of which the question names none.
  const isAmbiguous =
    next?.query !== undefined &&
    next.unused.length === 0 &&
    best.says === 0 &&
    next.names >= best.names &&
    next.query.conditions.length > 0;
  const isAbout = best.names > 0 || (best.query?.conditions.length ?? 0) > 0;
  if (!best.query || best.unused.length > 0 || !isAbout || isAmbiguous) {
    const unused = best.says > 0 && best.unused.length > 0 ? best.unused : undefined;
    return { queries, unused, excludesRows: best.asksFigure || best.isDenied || best.isRefused || best.isMeasured };
  }
  const lookup = buildQuery(best.query);
  const [looked] = made.slice(queries.length);
  if (!looked) return { queries: [...queries, lookup] };
  return { queries: [...queries, lookup], answer: describeAnswer(best.query, rowsOf(looked), phrases) };
}
