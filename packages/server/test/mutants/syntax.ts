import { parseSync } from 'rolldown/utils';

/** A node of the syntax tree; `start` and `end` count UTF-16 units of the source. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export interface ParsedSource {
  program: SyntaxNode;
  /** What the file imports when it runs; types are left out. */
  imports: string[];
  hasErrors: boolean;
}

/** TypeScript's wrappers of an expression: what they wrap runs, the type beside it does not. */
const wrappers = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']);

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/** The node in a field that the node's type always has. */
export function nodeAt(node: SyntaxNode, field: string): SyntaxNode {
  const value = node[field];
  if (!isNode(value)) throw new Error(`A ${node.type} has no ${field}`);
  return value;
}

export function parseSource(file: string, source: string): ParsedSource {
  const { program, module, errors } = parseSync(file, source);
  const imported = module.staticImports.filter(({ entries }) => entries.length === 0 || entries.some((e) => !e.isType));
  const exported = module.staticExports.flatMap(({ entries }) => entries.filter((entry) => !entry.isType));
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1));
  return {
    program: program as unknown as SyntaxNode,
    imports: [
      ...imported.map((one) => one.moduleRequest.value),
      ...exported.flatMap((entry) => entry.moduleRequest?.value ?? []),
      ...dynamic,
    ],
    hasErrors: errors.length > 0,
  };
}

/** Nodes below this one that exist when the program runs, in the order of the source. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node)
    .flat()
    .filter(isNode)
    .filter(({ type }) => !type.startsWith('TS') || wrappers.has(type))
    .sort((a, b) => a.start - b.start);
}
