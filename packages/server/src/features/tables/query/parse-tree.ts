import type { Node } from 'libpg-query';

/** The tree that the parser makes of a query. Its types are the parser's own; these are the ways to look into it. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `{FuncCall: {…}}`: a node says of which kind it is by a single key with a capital letter. */
export function isNode(value: unknown): value is Node {
  if (!isObject(value)) return false;
  const [kind, ...others] = Object.keys(value);
  return kind !== undefined && others.length === 0 && /^[A-Z]/.test(kind) && isObject(value[kind]);
}

/** The kind of a node, and its fields by name. */
export function partsOf(node: Node): { kind: string; fields: Record<string, unknown> } {
  const [[kind, fields] = ['', {}]] = Object.entries(node);
  return { kind, fields: { ...fields } };
}

/** The names in a list of `{String: {sval}}`; anything else is an empty name, which nothing allows. */
export const namesIn = (list: readonly Node[] | undefined): string[] =>
  (list ?? []).map((item) => ('String' in item ? (item.String.sval ?? '') : ''));

/** The last of such names: that of a function, an operator or a type without its schema. */
export const lastName = (list: readonly Node[] | undefined): string => namesIn(list).at(-1) ?? '';

/** The path of a column reference; its star is `*`. */
export const pathOf = (fields: readonly Node[] | undefined): string[] =>
  (fields ?? []).map((item) => ('String' in item ? (item.String.sval ?? '') : '*'));
