import { countPowersOfTen } from '@atrium/contract/tables/query/powers-of-ten.ts';
import { parameterBounds } from '@atrium/contract/tables/query/schema.ts';
import { required } from '../../../lib/required.ts';
import { queryBounds } from './bounds.ts';
import { collectingAggregates } from './growing-aggregates.ts';
import { QueryRefused } from './query-refused.ts';

/** Nodes as the parser gives them: `{FuncCall: {…}}`. */
type Fields = Record<string, unknown>;

/** How long a row of each source can be, by its name. */
interface Names {
  sources: Map<string, number>;
  /** What WITH names, and the sources of the queries around this one. */
  around: Names | undefined;
}

const { value_bytes, row_bytes, collected_bytes } = queryBounds;
const scalar = 64;
/** PostgreSQL's longest number has 150,000 digits. It counts for a part of that, as a row does for a part of the longest. */
const longestNumber = 8 * 1024;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const stringsOf = (list: unknown): string[] =>
  listOf(list).map((item) => String(((item as Fields)['String'] as Fields | undefined)?.['sval'] ?? '*'));

function checked(size: number): number {
  if (size > value_bytes)
    throw new QueryRefused('The query makes values that may be too long: it joins texts, lists or JSON too often');
  return size;
}

const allNames = (names: Names | undefined): Map<string, number>[] =>
  names ? [names.sources, ...allNames(names.around)] : [];
const largest = (sizes: Iterable<number>) => Math.max(0, ...sizes);

function find(names: Names | undefined, name: string): number | undefined {
  return names ? (names.sources.get(name) ?? find(names.around, name)) : undefined;
}

/** A column is no longer than the row it stands in; which row that is may only be known to the database. */
function columnSize(fields: unknown, names: Names): number {
  const path = stringsOf(fields);
  if (path.length === 1 && path[0] === '*') return [...names.sources.values()].reduce((sum, size) => sum + size, 0);
  const known = find(names, required(path[0]));
  if (known !== undefined) return known;
  return largest(allNames(names).flatMap((sources) => [...sources.values()]));
}

/** A whole row as a value. Written as text, and again as part of another row, its quotes take two characters. */
const isWholeRow = (fields: unknown, names: Names): boolean => {
  const path = stringsOf(fields);
  return path.at(-1) === '*' || (path.length === 1 && find(names, required(path[0])) !== undefined);
};

const sumOf = (value: unknown, names: Names): number => {
  let sum = 0;
  for (const item of listOf(value)) sum += sizeOf(item, names);
  return sum;
};

/** How many values a list may have; a list that is not written out is taken by its length. */
function countOf(value: unknown, names: Names): number {
  const { A_Const, A_ArrayExpr, TypeCast } = (value ?? {}) as Record<string, Fields | undefined>;
  if (A_ArrayExpr) return listOf(A_ArrayExpr['elements']).reduce<number>((sum, each) => sum + countOf(each, names), 0);
  if (TypeCast) return (TypeCast['typeName'] as Fields)['arrayBounds'] ? countOf(TypeCast['arg'], names) : 1;
  if (A_Const) return String((A_Const['sval'] as Fields | undefined)?.['sval']).split(',').length;
  return sizeOf(value, names);
}

const jsonMakers = /^(?:to_jsonb?|row_to_json|jsonb?_build_(?:object|array))$/;

function callSize(call: Fields, names: Names): number {
  const name = stringsOf(call['funcname']).at(-1) as string;
  const sizes = listOf(call['args']).map((arg) => sizeOf(arg, names));
  const sum = sizes.reduce((total, size) => total + size, 0);
  const ordered = sizeOf(call['agg_order'], names);
  for (const clause of ['agg_filter', 'over']) sizeOf(call[clause], names);
  // These answer with values that they sort by, percentile_disc with one for each fraction.
  if (name === 'mode') return ordered + scalar;
  if (name === 'percentile_disc') return ordered * countOf(listOf(call['args'])[0], names) + sum + scalar;
  if (collectingAggregates.has(name)) return Math.max(sum, collected_bytes);
  if (name === 'concat_ws') return sum + (sizes[0] ?? 0) * sizes.length;
  // A list of many short items and a long text between them.
  if (name === 'array_to_string') return (sizes[0] ?? 0) * (1 + (sizes[1] ?? 0)) + (sizes[0] ?? 0) * (sizes[2] ?? 0);
  // A character that JSON escapes takes six.
  if (jsonMakers.test(name)) return 6 * sum + scalar * (1 + sizes.length);
  if (name === 'normalize') return 12 * sum;
  if (name === 'to_char') return 12 * sum + scalar;
  if (/^(?:lower|upper|initcap)$/.test(name)) return 3 * sum;
  if (/^(?:power|exp|ln|log|sqrt|round|trunc|sum|avg|to_number|div|mod)$/.test(name)) return longestNumber;
  if (/length$|^(?:count|cardinality|position|strpos|md5|ascii|\w*rank|row_number|ntile|cume_dist)$/.test(name))
    return scalar;
  return sum + scalar;
}

const joins = new Set(['||']);

const sizes: Record<string, (fields: Fields, names: Names) => number> = {
  SelectStmt: (fields, names) => selectSize(fields, names),
  ColumnRef: ({ fields }, names) => (isWholeRow(fields, names) ? 2 : 1) * columnSize(fields, names),
  FuncCall: callSize,
  ParamRef: () => parameterBounds.bytes / 16,
  A_Const({ sval, fval }) {
    const written = String((sval as Fields | undefined)?.['sval'] ?? (fval as Fields | undefined)?.['fval'] ?? '');
    return Buffer.byteLength(written) + 1 + longestNumber * countPowersOfTen(written);
  },
  A_Expr({ name, kind, lexpr, rexpr }, names) {
    const left = sumOf(lexpr, names);
    const sum = left + sumOf(rexpr, names);
    if (kind === 'AEXPR_NULLIF') return left;
    const operator = stringsOf(name).at(-1) as string;
    if (joins.has(operator) || /^(?:->|#>)/.test(operator)) return sum;
    // It also takes fields out of JSON.
    if (operator === '-') return Math.max(left, longestNumber);
    return /^[+*/%^]$/.test(operator) ? longestNumber : scalar;
  },
  // Written as text, quotes and backslashes in them take two characters.
  A_ArrayExpr: ({ elements }, names) => 2 * sumOf(elements, names) + scalar,
  RowExpr: ({ args }, names) => 2 * sumOf(args, names) + scalar,
  // One of its values, of which each may be the longest.
  CaseExpr({ arg, args, defresult }, names) {
    sizeOf(arg, names);
    return largest([...listOf(args).map((each) => sizeOf(each, names)), sizeOf(defresult, names)]);
  },
  CaseWhen({ expr, result }, names) {
    sizeOf(expr, names);
    return sizeOf(result, names);
  },
  CoalesceExpr: ({ args }, names) => largest(listOf(args).map((each) => sizeOf(each, names))),
  MinMaxExpr: ({ args }, names) => largest(listOf(args).map((each) => sizeOf(each, names))),
  TypeCast({ arg, typeName }, names) {
    const type = stringsOf((typeName as Fields)['names']).at(-1) as string;
    const size = sizeOf(arg, names) + (type === 'bpchar' ? 4 * queryBounds.padding : scalar);
    if (type === 'numeric') return Math.max(size, longestNumber);
    return /^jsonb?$/.test(type) ? 6 * size : size;
  },
};

/** How many bytes an expression, or one row of a query, may come to. Parts that nothing is said of count together. */
function sizeOf(value: unknown, names: Names): number {
  if (Array.isArray(value)) return checked(sumOf(value, names));
  if (!isFields(value)) return 0;
  const [kind, ...others] = Object.keys(value);
  if (kind === undefined) return 0;
  const rule = others.length === 0 ? sizes[kind] : undefined;
  if (rule) return checked(rule((value[kind] ?? {}) as Fields, names));
  let sum = 0;
  for (const each of Object.values(value)) sum += sizeOf(each, names);
  return checked(sum);
}

const aliasOf = (fields: Fields): string | undefined =>
  (fields['alias'] as Fields | undefined)?.['aliasname'] as string;

/** Takes in what FROM names, from left to right: LATERAL sees what stands before it. */
function addSource(node: unknown, names: Names): void {
  const [kind, fields] = Object.entries(node as Fields)[0] as [string, Fields];
  if (kind === 'JoinExpr') {
    addSource(fields['larg'], names);
    addSource(fields['rarg'], names);
    sizeOf(fields['quals'], names);
    const both = [...names.sources.values()].reduce((sum, size) => sum + size, 0);
    if (aliasOf(fields)) names.sources.set(aliasOf(fields) as string, checked(both));
    return;
  }
  const place = `source ${names.sources.size}`;
  if (kind === 'RangeVar') {
    const size = Math.max(find(names.around, String(fields['relname'])) ?? 0, row_bytes);
    names.sources.set(aliasOf(fields) ?? String(fields['relname']), size);
  } else if (kind === 'RangeSubselect') names.sources.set(aliasOf(fields) ?? place, sizeOf(fields['subquery'], names));
  else names.sources.set(aliasOf(fields) ?? place, sizeOf(fields['functions'], names) + scalar);
}

function selectSize(select: Fields, around: Names | undefined): number {
  const named: Names = { sources: new Map(), around };
  for (const part of listOf((select['withClause'] as Fields | undefined)?.['ctes'])) {
    const { ctename, ctequery } = (part as { CommonTableExpr: Fields }).CommonTableExpr;
    named.sources.set(String(ctename), sizeOf(ctequery, named));
  }
  const names: Names = { sources: new Map(), around: named };
  for (const source of listOf(select['fromClause'])) addSource(source, names);
  for (const clause of ['whereClause', 'groupClause', 'havingClause', 'windowClause', 'sortClause', 'distinctClause'])
    sizeOf(select[clause], names);
  for (const clause of ['limitCount', 'limitOffset']) sizeOf(select[clause], names);
  if (select['larg'] || select['rarg'])
    return checked(largest([select['larg'], select['rarg']].map((side) => selectSize(side as Fields, named))));
  const lists = listOf(select['valuesLists']).map((list) => sizeOf(list, names));
  return checked(Math.max(targetsSize(listOf(select['targetList']), names), largest(lists)));
}

/** Columns that are passed on as they are come to no more than the rows they stand in, each time they are named. */
function targetsSize(targets: unknown[], names: Names): number {
  const times = new Map<string, number>();
  let sum = 0;
  for (const target of targets) {
    const column = ((target as Fields)['ResTarget'] as Fields | undefined)?.['val'] as Fields | undefined;
    const fields = (column?.['ColumnRef'] as Fields | undefined)?.['fields'];
    const path = stringsOf(fields).join('.');
    if (path.endsWith('*')) sum += columnSize(fields, names);
    else if (path && !isWholeRow(fields, names)) times.set(path, (times.get(path) ?? 0) + 1);
    else sum += sizeOf(target, names);
  }
  const rows = allNames(names).flatMap((sources) => [...sources.values()]);
  return sum + largest(times.values()) * rows.reduce((total, size) => total + size, 0);
}

/** Refuses a query whose texts, lists or JSON could become many times as long as the rows they are made of. */
export function checkValueSizes(select: unknown): void {
  selectSize(select as Fields, undefined);
}
