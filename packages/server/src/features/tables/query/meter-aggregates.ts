import type { FuncCall } from 'libpg-query';
import { required } from '../../../lib/required.ts';
import { platformSchema } from '../platform-tables.ts';
import { collectingAggregates } from './growing-aggregates.ts';
import { isNode, isObject, lastName } from './parse-tree.ts';
import { QueryRefused } from './query-refused.ts';

interface Token {
  start: number;
  end: number;
  text: string;
}

/** Counts what it is given and fails beyond the bound; migration 0056 has it. */
const meter = 'count_collected';

/** The calls of aggregates that keep all they are given. */
function collectingCalls(value: unknown, found: FuncCall[] = []): FuncCall[] {
  if (Array.isArray(value)) for (const item of value) collectingCalls(item, found);
  else if (isObject(value)) {
    if (isNode(value) && 'FuncCall' in value && collectingAggregates.has(lastName(value.FuncCall.funcname)))
      found.push(value.FuncCall);
    for (const item of Object.values(value)) collectingCalls(item, found);
  }
  return found;
}

const opens = new Set(['(', '[']);
const closes = new Set([')', ']']);
const isComment = (text: string) => text.startsWith('--') || text.startsWith('/*');
const is = (token: Token | undefined, word: string) => token?.text.toLowerCase() === word;

/** The place of the bracket that closes the one at `from`. */
function closingOf(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let index = from; index < tokens.length; index++) {
    const { text } = required(tokens[index]);
    if (opens.has(text)) depth++;
    if (closes.has(text) && --depth === 0) return index;
  }
  throw new QueryRefused('The query could not be read');
}

/** The arguments between two brackets, as they are written, without DISTINCT and ORDER BY. */
function argumentsBetween(bytes: Buffer, tokens: readonly Token[], open: number, close: number): string[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens.slice(open + 1, close)) {
    if (depth === 0 && is(token, 'order')) break;
    if (opens.has(token.text)) depth++;
    if (closes.has(token.text)) depth--;
    if (depth === 0 && token.text === ',') parts.push([]);
    else if (!(parts.length === 1 && parts[0]?.length === 0 && (is(token, 'distinct') || is(token, 'all'))))
      parts.at(-1)?.push(token);
  }
  return parts.map((part) => bytes.toString('utf8', part[0]?.start ?? 0, part.at(-1)?.end ?? 0));
}

/**
 * The same query, in which each aggregate that collects values counts them first: as a condition of the aggregate, which
 * leaves its DISTINCT and ORDER BY as they are. PostgreSQL itself has no bound but 1 GB for each of them.
 */
export async function meterAggregates(text: string, statement: unknown): Promise<string> {
  const bytes = Buffer.from(text);
  const { scan } = await import('libpg-query');
  const tokens: Token[] = (await scan(text)).tokens
    .map(({ start, end }) => ({ start, end, text: bytes.toString('utf8', start, end) }))
    .filter((token) => !isComment(token.text));
  const insertions: { at: number; text: string }[] = [];
  for (const { location = 0, agg_filter: filter, args } of collectingCalls(statement)) {
    // Its arguments are written twice, and a query in them would have to be counted twice.
    if (JSON.stringify(args ?? []).includes('"SubLink"'))
      throw new QueryRefused('An aggregate that collects values can not have a SELECT in its arguments');
    const name = tokens.findIndex(({ start }) => start === location);
    const open = name + 1;
    if (name < 0 || !is(tokens[open], '(')) throw new QueryRefused('The query could not be read');
    const close = closingOf(tokens, open);
    const counted = argumentsBetween(bytes, tokens, open, close).map((argument) => `(${argument})::text`);
    const call = `${platformSchema}.${meter}(${counted.join(', ')})`;
    if (!filter) {
      insertions.push({ at: required(tokens[close]).end, text: ` filter (where ${call})` });
      continue;
    }
    // `FILTER ( WHERE condition )`
    const where = close + 3;
    if (!is(tokens[close + 1], 'filter') || !is(tokens[where], 'where'))
      throw new QueryRefused('The query could not be read');
    const end = closingOf(tokens, close + 2);
    insertions.push({ at: required(tokens[where]).end, text: ' case when (' });
    insertions.push({ at: required(tokens[end]).start, text: `) then ${call} else false end` });
  }
  const metered = insertInto(bytes, insertions);
  await requireMetered(metered);
  return metered;
}

function insertInto(bytes: Buffer, insertions: { at: number; text: string }[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { at, text } of insertions.sort((a, b) => a.at - b.at)) {
    parts.push(bytes.toString('utf8', from, at), text);
    from = at;
  }
  parts.push(bytes.toString('utf8', from));
  return parts.join('');
}

/** The rewritten query is parsed again by the grammar of PostgreSQL. */
async function requireMetered(text: string): Promise<void> {
  const { parse } = await import('libpg-query');
  const calls = collectingCalls(await parse(text).catch(() => ({ FuncCall: { funcname: [] } })));
  const isMetered = ({ agg_filter }: FuncCall) => JSON.stringify(agg_filter ?? '').includes(`"${meter}"`);
  if (calls.length === 0 || !calls.every(isMetered)) throw new QueryRefused('The query could not be read');
}
