import type { ValueType } from '@atrium/contract/tables/types.ts';
import { type Sql, sql } from '../../db/sql.ts';

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
