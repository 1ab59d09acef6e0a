import { idValueType } from '@atrium/contract/tables/types.ts';
import type { Db } from '../../../db/database.ts';
import { identifier, join, type Sql, sql } from '../../../db/sql.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { databaseTypes, type TableRow } from '../store.ts';
import { cursorOf, type Order } from './row-order.ts';
import { orderBy, rangesAfter } from './row-order-store.ts';
import type { Row, RowSource } from './row-source.ts';

/** The columns of a row in their order, with the id first. */
export const shownColumns = ({ columns }: Pick<RowSource, 'columns'>): Sql =>
  join([sql`id`, ...columns.map(({ name }) => identifier(name))], sql`, `);

export interface RowPage {
  items: Row[];
  next_cursor: string | null;
  total: number | null;
}

interface PageRequest {
  where: Sql;
  order: Order;
  /** The sort values of the last row of the page before. */
  after: readonly unknown[] | undefined;
  size: number;
}

/** Reads one page of rows, by an index where there is one. */
export async function readPage(db: Db, source: RowSource, { where, order, after, size }: PageRequest) {
  const rows: Row[] = [];
  // One more than the page holds shows whether there is a next page.
  for (const range of after ? rangesAfter(order, after) : [sql`true`]) {
    const missing = size + 1 - rows.length;
    if (missing <= 0) break;
    rows.push(
      ...(await db.rows<Row>(sql`
        select ${shownColumns(source)} from ${source.relation} where (${where}) and (${range})
        order by ${orderBy(order)} limit ${missing}`)),
    );
  }
  const items = rows.slice(0, size);
  const last = items.at(-1);
  return { items, next_cursor: rows.length > size && last ? cursorOf(order, last) : null };
}

export const countRows = async (db: Db, source: RowSource, where: Sql) =>
  (await db.row<{ total: number }>(sql`select count(*) as total from ${source.relation} where ${where}`))?.total ?? 0;

export const findRow = (db: Db, source: RowSource, id: string | number) =>
  db.row<Row>(sql`select ${shownColumns(source)} from ${source.relation} where id = ${id}`);

/** Those of the ids that are rows of the table. */
export const findExistingIds = async (db: Db, table: TableRow, ids: readonly (string | number)[]) => {
  const type = databaseTypes[idValueType(table.id_type)];
  const rows = await db.rows<{ id: string | number }>(sql`
    select id from ${relationOf(table)} where id = any(${ids}::${type}[])`);
  return new Set(rows.map(({ id }) => id));
};
