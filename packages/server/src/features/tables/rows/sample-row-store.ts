import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { shownColumns } from './read-row-store.ts';
import type { Row, RowSource } from './row-source.ts';

/** The first rows by their id. */
export const sampleRows = (db: Db, source: RowSource, limit: number): Promise<Row[]> =>
  db.rows<Row>(sql`select ${shownColumns(source)} from ${source.relation} order by id limit ${limit}`);

/** Counts rows, but no more than `most`: a long table is not read to its end. */
export async function countRowsUpTo(db: Db, source: RowSource, most: number): Promise<number> {
  const counted = await db.row<{ total: number }>(sql`
    select count(*) as total from (select from ${source.relation} limit ${most}) as counted`);
  return counted?.total ?? 0;
}
