import { nodeAt, type SyntaxNode } from './syntax.ts';

/** Replaces the source from `start` to `end`. */
export interface Change {
  operator: string;
  start: number;
  end: number;
  replacement: string;
}

/** The changes an operator makes to one node; `above` are the nodes around it, the nearest last. */
type Operator = (node: SyntaxNode, source: string, above: readonly SyntaxNode[]) => Change[];

const swaps: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};

const textOf = (node: SyntaxNode, source: string) => source.slice(node.start, node.end);
const isString = (node: SyntaxNode) =>
  (node.type === 'Literal' && typeof node['value'] === 'string') || node.type === 'TemplateLiteral';

/** Replaces the sign between two operands. */
const swapSign: Operator = (node, source) => {
  if (node.type !== 'BinaryExpression' && node.type !== 'LogicalExpression') return [];
  const [left, right] = [nodeAt(node, 'left'), nodeAt(node, 'right')];
  const sign = node['operator'] as string;
  const swapped = swaps[sign];
  if (!swapped || (sign === '+' && (isString(left) || isString(right)))) return [];
  const start = source.indexOf(sign, left.end);
  return [{ operator: `${sign} to ${swapped}`, start, end: start + sign.length, replacement: swapped }];
};

const dropDefault: Operator = (node, source) => {
  if (node.type !== 'LogicalExpression' || node['operator'] !== '??') return [];
  const { start, end } = node;
  return [{ operator: 'drop default', start, end, replacement: textOf(nodeAt(node, 'left'), source) }];
};

const dropNot: Operator = (node, source) => {
  if (node.type !== 'UnaryExpression' || node['operator'] !== '!') return [];
  const { start, end } = node;
  return [{ operator: 'drop not', start, end, replacement: textOf(nodeAt(node, 'argument'), source) }];
};

const fixCondition: Operator = (node) => {
  if (node.type !== 'IfStatement' && node.type !== 'ConditionalExpression') return [];
  const { start, end } = nodeAt(node, 'test');
  return ['true', 'false'].map((value) => ({ operator: `condition ${value}`, start, end, replacement: value }));
};

const dropCall: Operator = (node, source) => {
  if (node.type !== 'ExpressionStatement') return [];
  const expression = nodeAt(node, 'expression');
  const call = expression.type === 'AwaitExpression' ? nodeAt(expression, 'argument') : expression;
  if (call.type !== 'CallExpression' || textOf(call, source).startsWith('super(')) return [];
  return [{ operator: 'drop call', start: node.start, end: node.end, replacement: ';' }];
};

/** `some` for `every` and the other way round; a list without its `filter`. */
const changeListCall: Operator = (node, source) => {
  if (node.type !== 'CallExpression') return [];
  const callee = nodeAt(node, 'callee');
  if (callee.type !== 'MemberExpression' || callee['computed']) return [];
  const { start, end } = nodeAt(callee, 'property');
  const name = source.slice(start, end);
  if (name === 'some') return [{ operator: 'some to every', start, end, replacement: 'every' }];
  if (name === 'every') return [{ operator: 'every to some', start, end, replacement: 'some' }];
  if (name !== 'filter') return [];
  const list = textOf(nodeAt(callee, 'object'), source);
  return [{ operator: 'drop filter', start: node.start, end: node.end, replacement: list }];
};

const waits = new Set(['setTimeout', 'setInterval', 'timeout', 'sleep']);

/** Milliseconds: a test that sees one more of them would fail on a busy machine. */
function isMilliseconds(above: readonly SyntaxNode[], source: string): boolean {
  return above.slice(-4).some((node) => {
    if (node.type === 'VariableDeclarator') return textOf(nodeAt(node, 'id'), source).includes('_ms');
    if (node.type === 'Property') return textOf(nodeAt(node, 'key'), source).endsWith('_ms');
    if (node.type !== 'CallExpression') return false;
    return waits.has(textOf(nodeAt(node, 'callee'), source).split('.').at(-1) ?? '');
  });
}

const changeLiteral: Operator = (node, source, above) => {
  if (node.type !== 'Literal') return [];
  const { start, end, value } = node;
  const parent = above.at(-1);
  if (typeof value === 'boolean')
    return [{ operator: `${value} to ${!value}`, start, end, replacement: String(!value) }];
  if (typeof value === 'number' && !isMilliseconds(above, source))
    return [{ operator: 'number plus one', start, end, replacement: String(value + 1) }];
  if (value === '') return [{ operator: 'empty text filled', start, end, replacement: "'x'" }];
  const isCompared = parent?.type === 'BinaryExpression' || parent?.type === 'SwitchCase';
  if (typeof value === 'string' && isCompared && parent['operator'] !== '+')
    return [{ operator: 'text emptied', start, end, replacement: "''" }];
  return [];
};

export const operators: readonly Operator[] = [
  ...[swapSign, dropDefault, dropNot, fixCondition, dropCall, changeListCall, changeLiteral],
];
