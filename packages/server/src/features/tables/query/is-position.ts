type Fields = Record<string, unknown>;

const namesOf = (list: unknown): string =>
  String((((list as Fields[] | undefined)?.at(-1)?.['String'] ?? {}) as Fields)['sval']);
const positions = /^(?:strpos|position|length|char_length|character_length)$/;

/** Whether an expression is an integer by its syntax alone. */
export function isPosition(value: unknown): boolean {
  const { A_Const, A_Expr, FuncCall, TypeCast } = value as Record<string, Fields | undefined>;
  if (A_Const) return A_Const['ival'] !== undefined;
  if (TypeCast)
    return /^(?:int[248]|integer|smallint|bigint)$/.test(namesOf((TypeCast['typeName'] as Fields)['names']));
  if (A_Expr) return /^[+\-*/%]$/.test(namesOf(A_Expr['name']));
  return FuncCall !== undefined && positions.test(namesOf(FuncCall['funcname']));
}
