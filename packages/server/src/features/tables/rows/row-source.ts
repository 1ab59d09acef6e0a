import { type IdType, idValueType, type ValueType } from '@atrium/contract/tables/types.ts';
import { identifier, join, type Sql, sql } from '../../../db/sql.ts';
import type { ColumnRow } from '../store.ts';
import { valueTypeOf } from '../value-reader.ts';

/** What rows are read from: a table of the workspace, or one of the platform's. */
export interface RowSource {
  relation: Sql;
  id_type: IdType;
  columns: ColumnRow[];
}

export type Row = { id: string | number } & Record<string, unknown>;

/** The type of a column by name, the id included; undefined when there is none. */
export function typesOf({ id_type, columns }: Pick<RowSource, 'id_type' | 'columns'>): Map<string, ValueType> {
  return new Map([['id', idValueType(id_type)], ...columns.map((one) => [one.name, valueTypeOf(one)] as const)]);
}

/** All that a row shows, in order. */
export const shownColumns = ({ columns }: Pick<RowSource, 'columns'>): Sql =>
  join([sql`id`, ...columns.map(({ name }) => identifier(name))], sql`, `);
