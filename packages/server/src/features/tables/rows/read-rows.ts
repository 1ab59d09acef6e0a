import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { cursorOf, type Order, orderBy, rangesAfter } from './row-order.ts';
import { type Row, type RowSource, shownColumns } from './row-source.ts';

export interface RowPage {
  items: Row[];
  next_cursor: string | null;
  total: number | null;
}

interface Wanted {
  where: Sql;
  order: Order;
  /** What the last row of the page before was sorted by. */
  after: readonly unknown[] | undefined;
  size: number;
}

/** One page of rows: as many as are wanted, found by an index where there is one. */
export async function readPage(db: Db, source: RowSource, { where, order, after, size }: Wanted) {
  const found: Row[] = [];
  // One more than is wanted tells whether there is a next page.
  for (const range of after ? rangesAfter(order, after) : [sql`true`]) {
    const missing = size + 1 - found.length;
    if (missing <= 0) break;
    found.push(
      ...(await db.rows<Row>(sql`
        select ${shownColumns(source)} from ${source.relation} where (${where}) and (${range})
        order by ${orderBy(order)} limit ${missing}`)),
    );
  }
  const items = found.slice(0, size);
  const last = items.at(-1);
  return { items, next_cursor: found.length > size && last ? cursorOf(order, last) : null };
}

export const countRows = async (db: Db, source: RowSource, where: Sql) =>
  (await db.row<{ total: number }>(sql`select count(*) as total from ${source.relation} where ${where}`))?.total ?? 0;

export const findRow = (db: Db, source: RowSource, id: string | number) =>
  db.row<Row>(sql`select ${shownColumns(source)} from ${source.relation} where id = ${id}`);
