import { createHash } from 'node:crypto';
import { type Change, operators } from './operators.ts';
import { changeStatement } from './sql-operators.ts';
import { childrenOf, parseSource, type SyntaxNode } from './syntax.ts';

/** One change to one file. The id does not depend on line numbers, so it stays when code around it moves. */
export interface Mutant extends Change {
  id: string;
  file: string;
  line: number;
  original: string;
  /** The line as it is, and as it is with the change. */
  before: string;
  after: string;
}

/** Calls that only tell an operator something: no caller sees whether they happen. */
const tellers = new Set(['log', 'logger', 'console']);

function isTelling(node: SyntaxNode, source: string): boolean {
  if (node.type !== 'CallExpression') return false;
  const { start, end } = node['callee'] as SyntaxNode;
  const names = source.slice(start, end).split('.');
  return names.slice(0, -1).some((name) => tellers.has(name.replaceAll('?', '')));
}

function changesIn(node: SyntaxNode, source: string, above: readonly SyntaxNode[]): Change[] {
  const statement = node.type === 'ExpressionStatement' ? (node['expression'] as SyntaxNode) : node;
  if (isTelling(statement, source) || node.type === 'ImportDeclaration') return [];
  // The text of a thrown error is for people to read.
  const here = node.type === 'ThrowStatement' ? [] : operators.flatMap((operator) => operator(node, source, above));
  const sql = node.type === 'TaggedTemplateExpression' ? changeStatement(node, source) : [];
  const around = [...above, node];
  return [...here, ...sql, ...childrenOf(node).flatMap((child) => changesIn(child, source, around))];
}

const lineAround = (source: string, start: number, end: number) =>
  source.slice(source.lastIndexOf('\n', start - 1) + 1, (source.indexOf('\n', end) + 1 || source.length + 1) - 1);

export const applyChange = (source: string, { start, end, replacement }: Change) =>
  source.slice(0, start) + replacement + source.slice(end);

/** Every mutant of a source, in the order of the file. */
export function findMutants(file: string, source: string): Mutant[] {
  const seen = new Map<string, number>();
  return changesIn(parseSource(file, source).program, source, []).map((change) => {
    const { operator, start, end, replacement } = change;
    const original = source.slice(start, end);
    const before = lineAround(source, start, end).trim();
    const after = lineAround(applyChange(source, change), start, start + replacement.length).trim();
    const name = [file, operator, original, before, after].join('\0');
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    const id = createHash('sha256').update(`${name}\0${count}`).digest('hex').slice(0, 12);
    const line = source.slice(0, start).split('\n').length;
    return { id, file, line, original, before, after, ...change };
  });
}
