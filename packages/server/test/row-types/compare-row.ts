import pg from 'pg';
import type { RecordedColumn } from './record-rows.ts';

/** A property of the type that a statement's rows are given in the program. */
export interface RowProperty {
  name: string;
  optional: boolean;
  /** What the type admits besides null; `other`: a union, an object or unknown. */
  kind: 'string' | 'number' | 'boolean' | 'list' | 'other';
  nullable: boolean;
  /** The type as written, for messages. */
  text: string;
}

const { builtins } = pg.types;
const kinds = new Map<number, RowProperty['kind']>([
  ...[builtins.TEXT, builtins.VARCHAR, builtins.UUID, builtins.TIMESTAMPTZ, builtins.DATE, builtins.BYTEA].map(
    (type): [number, RowProperty['kind']] => [type, type === builtins.BYTEA ? 'other' : 'string'],
  ),
  ...[builtins.INT2, builtins.INT4, builtins.INT8, builtins.FLOAT4, builtins.FLOAT8].map(
    (type): [number, RowProperty['kind']] => [type, 'number'],
  ),
  [builtins.BOOL, 'boolean'],
  // text[], uuid[], int4[], int8[]
  [1009, 'list'],
  [2951, 'list'],
  [1007, 'list'],
  [1016, 'list'],
]);

export interface RowMismatch {
  name: string;
  problem: string;
}

/** The differences between the columns that a statement returned and the type of its rows. */
export function compareRow(
  columns: readonly RecordedColumn[],
  properties: readonly RowProperty[],
  isNullable: (column: RecordedColumn) => boolean,
): RowMismatch[] {
  return properties.flatMap(({ name, optional, kind, nullable, text }) => {
    const column = columns.find((candidate) => candidate.name === name);
    if (!column) return optional ? [] : [{ name, problem: 'the type has it, the statement does not return it' }];
    const expected = kinds.get(column.type);
    if (expected && expected !== 'other' && kind !== 'other' && kind !== expected)
      return [{ name, problem: `the column is a ${expected}, the type says ${text}` }];
    if (isNullable(column) && !nullable && !optional)
      return [{ name, problem: `the column may be null, the type says ${text}` }];
    return [];
  });
}
