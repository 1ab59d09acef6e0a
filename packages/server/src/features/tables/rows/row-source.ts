import { type IdType, idValueType, type ValueType } from '@atrium/contract/tables/types.ts';
import type { Sql } from '../../../db/sql.ts';
import type { ColumnRow } from '../store.ts';
import { valueTypeOf } from '../value-reader.ts';

/** The table that rows are read from: one of the workspace or one of the platform. */
export interface RowSource {
  relation: Sql;
  id_type: IdType;
  columns: ColumnRow[];
}

export type Row = { id: string | number } & Record<string, unknown>;
/** A row and its version; rows of the platform have none. */
export interface VersionedRow {
  row: Row;
  etag: string | null;
}

/** The type of a column by name, the id included; undefined when there is none. */
export function typesOf({ id_type, columns }: Pick<RowSource, 'id_type' | 'columns'>): Map<string, ValueType> {
  return new Map([
    ['id', idValueType(id_type)],
    ...columns.map((column) => [column.name, valueTypeOf(column)] as const),
  ]);
}
