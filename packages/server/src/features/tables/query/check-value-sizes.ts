import { countPowersOfTen } from '@atrium/contract/tables/query/powers-of-ten.ts';
import { parameterBounds } from '@atrium/contract/tables/query/schema.ts';
import type { A_Const, A_Expr, Alias, FuncCall, Node, SelectStmt, TypeCast } from 'libpg-query';
import { required } from '../../../lib/required.ts';
import { queryBounds } from './bounds.ts';
import { collectingAggregates } from './growing-aggregates.ts';
import { isNode, isObject, lastName, pathOf } from './parse-tree.ts';
import { QueryRefused } from './query-refused.ts';

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
function columnSize(fields: readonly Node[] | undefined, names: Names): number {
  const path = pathOf(fields);
  if (path.length === 1 && path[0] === '*') return [...names.sources.values()].reduce((sum, size) => sum + size, 0);
  const known = find(names, required(path[0]));
  if (known !== undefined) return known;
  return largest(allNames(names).flatMap((sources) => [...sources.values()]));
}

/** A whole row as a value. Written as text, and again as part of another row, its quotes take two characters. */
const isWholeRow = (fields: readonly Node[] | undefined, names: Names): boolean => {
  const path = pathOf(fields);
  return path.at(-1) === '*' || (path.length === 1 && find(names, required(path[0])) !== undefined);
};

const sumOf = (values: readonly unknown[] | undefined, names: Names): number => {
  let sum = 0;
  for (const item of values ?? []) sum += sizeOf(item, names);
  return sum;
};
const sizesOf = (values: readonly Node[] | undefined, names: Names): number[] =>
  (values ?? []).map((each) => sizeOf(each, names));

/** How many values a list may have; a list that is not written out is taken by its length. */
function countOf(node: Node | undefined, names: Names): number {
  if (!node) return 0;
  if ('A_ArrayExpr' in node)
    return (node.A_ArrayExpr.elements ?? []).reduce<number>((sum, each) => sum + countOf(each, names), 0);
  if ('TypeCast' in node) return node.TypeCast.typeName?.arrayBounds ? countOf(node.TypeCast.arg, names) : 1;
  if ('A_Const' in node) return String(node.A_Const.sval?.sval).split(',').length;
  return sizeOf(node, names);
}

const jsonMakers = /^(?:to_jsonb?|row_to_json|jsonb?_build_(?:object|array))$/;

function callSize(call: FuncCall, names: Names): number {
  const name = lastName(call.funcname);
  const sizes = sizesOf(call.args, names);
  const sum = sizes.reduce((total, size) => total + size, 0);
  const ordered = sizeOf(call.agg_order, names);
  for (const clause of [call.agg_filter, call.over]) sizeOf(clause, names);
  // These answer with values that they sort by, percentile_disc with one for each fraction.
  if (name === 'mode') return ordered + scalar;
  if (name === 'percentile_disc') return ordered * countOf(call.args?.[0], names) + sum + scalar;
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

function constantSize({ sval, fval }: A_Const): number {
  const written = sval?.sval ?? fval?.fval ?? '';
  return Buffer.byteLength(written) + 1 + longestNumber * countPowersOfTen(written);
}

function operatorSize({ name, kind, lexpr, rexpr }: A_Expr, names: Names): number {
  const left = sizeOf(lexpr, names);
  const sum = left + sizeOf(rexpr, names);
  if (kind === 'AEXPR_NULLIF') return left;
  const operator = lastName(name);
  if (operator === '||' || /^(?:->|#>)/.test(operator)) return sum;
  // It also takes fields out of JSON.
  if (operator === '-') return Math.max(left, longestNumber);
  return /^[+*/%^]$/.test(operator) ? longestNumber : scalar;
}

function castSize({ arg, typeName }: TypeCast, names: Names): number {
  const type = lastName(typeName?.names);
  const size = sizeOf(arg, names) + (type === 'bpchar' ? 4 * queryBounds.padding : scalar);
  if (type === 'numeric') return Math.max(size, longestNumber);
  return /^jsonb?$/.test(type) ? 6 * size : size;
}

/** The size of a node of these kinds; undefined for any other, whose parts count together. */
function ruledSize(node: Node, names: Names): number | undefined {
  if ('SelectStmt' in node) return selectSize(node.SelectStmt, names);
  if ('ColumnRef' in node) {
    const { fields } = node.ColumnRef;
    return (isWholeRow(fields, names) ? 2 : 1) * columnSize(fields, names);
  }
  if ('FuncCall' in node) return callSize(node.FuncCall, names);
  if ('ParamRef' in node) return parameterBounds.bytes / 16;
  if ('A_Const' in node) return constantSize(node.A_Const);
  if ('A_Expr' in node) return operatorSize(node.A_Expr, names);
  // Written as text, quotes and backslashes in them take two characters.
  if ('A_ArrayExpr' in node) return 2 * sumOf(node.A_ArrayExpr.elements, names) + scalar;
  if ('RowExpr' in node) return 2 * sumOf(node.RowExpr.args, names) + scalar;
  // One of its values, of which each may be the longest.
  if ('CaseExpr' in node) {
    const { arg, args, defresult } = node.CaseExpr;
    sizeOf(arg, names);
    return largest([...sizesOf(args, names), sizeOf(defresult, names)]);
  }
  if ('CaseWhen' in node) {
    sizeOf(node.CaseWhen.expr, names);
    return sizeOf(node.CaseWhen.result, names);
  }
  if ('CoalesceExpr' in node) return largest(sizesOf(node.CoalesceExpr.args, names));
  if ('MinMaxExpr' in node) return largest(sizesOf(node.MinMaxExpr.args, names));
  return 'TypeCast' in node ? castSize(node.TypeCast, names) : undefined;
}

/** How many bytes an expression, or one row of a query, may come to. Parts that nothing is said of count together. */
function sizeOf(value: unknown, names: Names): number {
  if (Array.isArray(value)) return checked(sumOf(value, names));
  if (!isObject(value)) return 0;
  return checked((isNode(value) ? ruledSize(value, names) : undefined) ?? sumOf(Object.values(value), names));
}

/** Takes in what FROM names, from left to right: LATERAL sees what stands before it. */
function addSource(node: Node | undefined, names: Names): void {
  if (!node) return;
  if ('JoinExpr' in node) {
    const { larg, rarg, quals, alias } = node.JoinExpr;
    addSource(larg, names);
    addSource(rarg, names);
    sizeOf(quals, names);
    const both = [...names.sources.values()].reduce((sum, size) => sum + size, 0);
    if (alias?.aliasname) names.sources.set(alias.aliasname, checked(both));
    return;
  }
  const name = (alias: Alias | undefined) => alias?.aliasname ?? `source ${names.sources.size}`;
  if ('RangeVar' in node) {
    const { relname = '', alias } = node.RangeVar;
    const size = Math.max(find(names.around, relname) ?? 0, row_bytes);
    names.sources.set(alias?.aliasname ?? relname, size);
  } else if ('RangeSubselect' in node) {
    const { subquery, alias } = node.RangeSubselect;
    names.sources.set(name(alias), sizeOf(subquery, names));
  } else if ('RangeFunction' in node) {
    const { functions, alias } = node.RangeFunction;
    names.sources.set(name(alias), sizeOf(functions, names) + scalar);
  } else throw new QueryRefused('This is not available in FROM');
}

function selectSize(select: SelectStmt, around: Names | undefined): number {
  const named: Names = { sources: new Map(), around };
  for (const part of select.withClause?.ctes ?? [])
    if ('CommonTableExpr' in part) {
      const { ctename = '', ctequery } = part.CommonTableExpr;
      named.sources.set(ctename, sizeOf(ctequery, named));
    }
  const names: Names = { sources: new Map(), around: named };
  for (const source of select.fromClause ?? []) addSource(source, names);
  const { whereClause, groupClause, havingClause, windowClause, sortClause, distinctClause } = select;
  for (const clause of [whereClause, groupClause, havingClause, windowClause, sortClause, distinctClause])
    sizeOf(clause, names);
  for (const clause of [select.limitCount, select.limitOffset]) sizeOf(clause, names);
  if (select.larg || select.rarg)
    return checked(largest([select.larg, select.rarg].map((side) => (side ? selectSize(side, named) : 0))));
  const lists = (select.valuesLists ?? []).map((list) => sizeOf(list, names));
  return checked(Math.max(targetsSize(select.targetList ?? [], names), largest(lists)));
}

/** Columns that are passed on as they are come to no more than the rows they stand in, each time they are named. */
function targetsSize(targets: readonly Node[], names: Names): number {
  const times = new Map<string, number>();
  let sum = 0;
  for (const target of targets) {
    const value = 'ResTarget' in target ? target.ResTarget.val : undefined;
    const fields = value && 'ColumnRef' in value ? value.ColumnRef.fields : undefined;
    const path = pathOf(fields).join('.');
    if (path.endsWith('*')) sum += columnSize(fields, names);
    else if (path && !isWholeRow(fields, names)) times.set(path, (times.get(path) ?? 0) + 1);
    else sum += sizeOf(target, names);
  }
  const rows = allNames(names).flatMap((sources) => [...sources.values()]);
  return sum + largest(times.values()) * rows.reduce((total, size) => total + size, 0);
}

/** Refuses a query whose texts, lists or JSON could become many times as long as the rows they are made of. */
export function checkValueSizes(select: SelectStmt): void {
  selectSize(select, undefined);
}
