import type { Node } from 'libpg-query';
import { lastName } from './parse-tree.ts';

const positions = /^(?:strpos|position|length|char_length|character_length)$/;

/** Whether an expression is an integer by its syntax alone. */
export function isPosition(node: Node): boolean {
  if ('A_Const' in node) return node.A_Const.ival !== undefined;
  if ('TypeCast' in node) return /^(?:int[248]|integer|smallint|bigint)$/.test(lastName(node.TypeCast.typeName?.names));
  if ('A_Expr' in node) return /^[+\-*/%]$/.test(lastName(node.A_Expr.name));
  return 'FuncCall' in node && positions.test(lastName(node.FuncCall.funcname));
}
