import type { FuncCall, Node, RangeVar, RawStmt, TypeName } from 'libpg-query';
import { required } from '../../../lib/required.ts';
import { allowedFunctions, allowedNodes, allowedOperators, allowedTypes, allowedValues } from './allowed-syntax.ts';
import { queryBounds } from './bounds.ts';
import { checkValueSizes } from './check-value-sizes.ts';
import { collectingAggregates, countingAggregates } from './growing-aggregates.ts';
import { isPosition } from './is-position.ts';
import { meterAggregates } from './meter-aggregates.ts';
import { isNode, isObject, namesIn, partsOf } from './parse-tree.ts';
import { QueryRefused } from './query-refused.ts';

/** Of a name with a schema only pg_catalog's counts: the grammar itself writes EXTRACT and the like so. */
function bareName(list: readonly Node[] | undefined, what: string): string {
  const names = namesIn(list);
  if (names.length === 2 && names[0] === 'pg_catalog') return required(names[1]);
  if (names.length !== 1) throw new QueryRefused(`${what} ${names.join('.')} is not available here`);
  return required(names[0]);
}

/** More is no question of a person, and could keep the planner busy for long. */
const mostNodes = 5000;
const deepest = 200;

interface Walk {
  relations: ReadonlySet<string>;
  /** Names that WITH gives and that are known at this place of the query. */
  parts: ReadonlySet<string>;
  used: Set<string>;
  nodes: number;
  sources: number;
  aggregates: number;
  collecting: number;
}

export interface CheckedQuery {
  /** The tables it reads. */
  used: ReadonlySet<string>;
  /** The query to run: the same, with the values that its aggregates collect metered. */
  text: string;
}

function checkRangeVar({ schemaname, catalogname, relname = '' }: RangeVar, { relations, parts, used }: Walk): void {
  if (schemaname || catalogname || !(relations.has(relname) || parts.has(relname)))
    throw new QueryRefused(`There is no table ${[catalogname, schemaname, relname].filter(Boolean).join('.')} here`);
  if (relations.has(relname)) used.add(relname);
}

function checkCall({ funcname, func_variadic, args = [] }: FuncCall, walk: Walk): void {
  const name = bareName(funcname, 'The function');
  if (!allowedFunctions.has(name)) throw new QueryRefused(`The function ${name} is not available here`);
  if (func_variadic) throw new QueryRefused('VARIADIC is not available here');
  // PostgreSQL treats a text argument in the position of a number as a regular expression.
  if (name === 'substring' && !args.slice(1).every(isPosition))
    throw new QueryRefused('substring takes numbers here, not patterns: write them out, or cast them with ::int');
  if (countingAggregates.has(name) && ++walk.aggregates > queryBounds.aggregates)
    throw new QueryRefused(`A query can have ${queryBounds.aggregates} aggregates`);
  if (!collectingAggregates.has(name)) return;
  if (namesIn(funcname).length !== 1) throw new QueryRefused(`The function ${name} is written without a schema here`);
  if (++walk.collecting > queryBounds.collecting)
    throw new QueryRefused(`A query can have ${queryBounds.collecting} aggregates that collect values (${name})`);
}

function checkType({ names, typmods = [] }: TypeName): void {
  const name = bareName(names, 'The type');
  if (!allowedTypes.has(name)) throw new QueryRefused(`The type ${name} is not available here`);
  const lengthOf = (node: Node) => ('A_Const' in node ? (node.A_Const.ival?.ival ?? 0) : 0);
  if (name === 'bpchar' && typmods.some((node) => !(lengthOf(node) <= queryBounds.padding)))
    throw new QueryRefused(`char(n) can be ${queryBounds.padding} long here`);
}

/** Checks a node by itself; those of no rule only have to be allowed. */
function checkNode(node: Node, walk: Walk): void {
  if ('RangeVar' in node) checkRangeVar(node.RangeVar, walk);
  else if ('FuncCall' in node) checkCall(node.FuncCall, walk);
  else if ('A_Expr' in node) {
    const operator = bareName(node.A_Expr.name, 'The operator').replaceAll(' ', '_');
    if (!allowedOperators.has(operator) || node.A_Expr.kind === 'AEXPR_SIMILAR')
      throw new QueryRefused(`The operator ${operator} is not available here`);
  } else if ('SubLink' in node) {
    const { subLinkType, operName } = node.SubLink;
    if (subLinkType === 'ARRAY_SUBLINK') throw new QueryRefused('ARRAY(SELECT …) is not available here; use array_agg');
    if (operName && !allowedOperators.has(bareName(operName, 'The operator')))
      throw new QueryRefused('This operator is not available here');
  } else if ('SortBy' in node) {
    if (node.SortBy.useOp) throw new QueryRefused('ORDER BY … USING is not available here');
  } else if ('TypeCast' in node) checkType(node.TypeCast.typeName ?? {});
  else if ('SQLValueFunction' in node) {
    if (!allowedValues.has(String(node.SQLValueFunction.op))) throw new QueryRefused('This is not available here');
  } else if ('WithClause' in node) {
    if (node.WithClause.recursive) throw new QueryRefused('WITH RECURSIVE is not available here');
  } else if ('CommonTableExpr' in node) {
    const { ctename = '' } = node.CommonTableExpr;
    // Where the name is not known, PostgreSQL would look among its own.
    if (/^(?:pg_|_)/.test(ctename)) throw new QueryRefused(`WITH can not name anything ${ctename}`);
  } else if ('RangeFunction' in node) {
    // A column list of a function's rows brings types of its own.
    if (node.RangeFunction.coldeflist)
      throw new QueryRefused('A list of columns behind a function is not available here');
  }
}

/** Fields whose nodes carry no type name, with the type to check them as. */
const bareFields: Record<string, string> = {
  typeName: 'TypeName',
  alias: 'Alias',
  withClause: 'WithClause',
  over: 'WindowDef',
  larg: 'SelectStmt',
  rarg: 'SelectStmt',
  intoClause: 'IntoClause',
};

function enter(node: Node, walk: Walk, depth: number): void {
  const { kind, fields } = partsOf(node);
  if (++walk.nodes > mostNodes || depth > deepest) throw new QueryRefused('The question is too long');
  if (!allowedNodes.has(kind)) throw new QueryRefused(`${kind} is not available here`);
  if (/^Range(?:Var|Subselect|Function)$/.test(kind) && ++walk.sources > queryBounds.sources)
    throw new QueryRefused(
      `A query can have ${queryBounds.sources} tables, subqueries and functions in its FROM clauses`,
    );
  checkNode(node, walk);
  const outer = walk.parts;
  // The names of WITH are known in the whole SELECT that it belongs to, wherever the parser puts it.
  const { withClause, ...others } = fields;
  if (withClause) visit(withClause, 'withClause', walk, depth + 1);
  for (const [name, value] of Object.entries(others)) visit(value, name, walk, depth + 1);
  if (kind === 'SelectStmt') walk.parts = outer;
  // A part is known to those after it, not to itself.
  if (kind === 'CommonTableExpr') walk.parts = new Set([...walk.parts, String(fields['ctename'])]);
}

function visit(value: unknown, field: string, walk: Walk, depth: number): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, field, walk, depth);
    return;
  }
  if (!isObject(value)) return;
  const bare = { [bareFields[field] ?? '']: value };
  if (isNode(value)) enter(value, walk, depth);
  else if (isNode(bare)) enter(bare, walk, depth);
  // The value inside a constant has no kind either.
  else if (/^(?:ival|fval|sval|bsval|boolval)$/.test(field) || Object.keys(value).length === 0) return;
  else throw new QueryRefused(`${field} is not available here`);
}

/**
 * Lets one SELECT through that reads nothing but these relations and calls nothing but what computes. PostgreSQL's own
 * grammar reads it, so comments, quotes and spellings are what they will be for the server. The first of two guards: the
 * second is the role it runs under.
 */
export async function checkQuery(text: string, relations: ReadonlySet<string>): Promise<CheckedQuery> {
  let statements: RawStmt[];
  try {
    statements = (await (await import('libpg-query')).parse(text)).stmts ?? [];
  } catch (error) {
    throw new QueryRefused(error instanceof Error ? error.message : 'This is not SQL');
  }
  const [first, ...others] = statements;
  if (!first || others.length) throw new QueryRefused('One SELECT statement is needed, and no more');
  const statement = first.stmt;
  if (!statement || !('SelectStmt' in statement)) throw new QueryRefused('Only SELECT is available here');
  const walk: Walk = {
    relations,
    parts: new Set(),
    used: new Set(),
    nodes: 0,
    sources: 0,
    aggregates: 0,
    collecting: 0,
  };
  visit(statement, 'stmt', walk, 0);
  checkValueSizes(statement.SelectStmt);
  return { used: walk.used, text: walk.collecting ? await meterAggregates(text, statement) : text };
}
