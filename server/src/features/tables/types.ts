import { type Sql, sql } from '../../db/sql.ts';

export const columnTypes = [
  'text',
  'integer',
  'number',
  'boolean',
  'date',
  'datetime',
  'json',
  'uuid',
  'reference',
] as const;
export type ColumnType = (typeof columnTypes)[number];

export const idTypes = ['uuid', 'autoincrement'] as const;
export type IdType = (typeof idTypes)[number];

/** What a column holds once a reference has been followed to the id it refers to. */
export type ValueType = Exclude<ColumnType, 'reference'>;

export const idValueType = (id_type: IdType): ValueType => (id_type === 'uuid' ? 'uuid' : 'integer');

/** Whole numbers are as large as JSON can carry; times have the milliseconds that answers show. */
export const databaseTypes: Record<ValueType, Sql> = {
  text: sql`text`,
  integer: sql`bigint`,
  number: sql`double precision`,
  boolean: sql`boolean`,
  date: sql`date`,
  datetime: sql`timestamptz(3)`,
  json: sql`jsonb`,
  uuid: sql`uuid`,
};
