import type { ActorName } from '@atrium/contract/actor.ts';
import { idValueType } from '@atrium/contract/tables/types.ts';
import type { Db } from '../../../db/database.ts';
import { identifier, join, type Sql, sql } from '../../../db/sql.ts';
import { required } from '../../../lib/required.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { databaseTypes, type TableRow } from '../store.ts';
import { cursorOf, type Order } from './row-order.ts';
import { orderBy, rangesAfter } from './row-order-store.ts';
import { type Row, type RowSource, typesOf, type VersionedRow } from './row-source.ts';

/** The columns of a row in their order, with the id first. */
export const shownColumns = ({ columns }: Pick<RowSource, 'columns'>): Sql =>
  join([sql`id`, ...columns.map(({ name }) => identifier(name))], sql`, `);

export interface RowPage {
  items: Row[];
  /** The versions of the rows, in their order. */
  etags?: (string | null)[];
  /** Who wrote the rows last, in their order. */
  updated?: { updated_at: string | null; updated_by: string | null; updated_by_actor: ActorName | null }[];
  next_cursor: string | null;
  total: number | null;
}

interface PageRequest {
  where: Sql;
  order: Order;
  /** The sort values of the last row of the page before. */
  after: readonly unknown[] | undefined;
  /** How many rows to skip; only without `after`. */
  offset?: number | undefined;
  size: number;
  /** With the version of each row. */
  etags?: boolean;
}

/** Reads one page of rows, by an index where there is one. */
export async function readPage(db: Db, source: RowSource, request: PageRequest) {
  const { where, order, after, offset = 0, size, etags = false } = request;
  const columns = etags ? versionedColumns(source) : shownColumns(source);
  const rows: Row[] = [];
  // One more than the page holds shows whether there is a next page.
  for (const range of after ? rangesAfter(order, after) : [sql`true`]) {
    const missing = size + 1 - rows.length;
    if (missing <= 0) break;
    rows.push(
      ...(await db.rows<Row>(sql`
        select ${columns} from ${source.relation} where (${where}) and (${range})
        order by ${orderBy(order)} limit ${missing} offset ${offset}`)),
    );
  }
  const last = rows[Math.min(rows.length, size) - 1];
  const next_cursor = rows.length > size && last ? cursorOf(order, last) : null;
  if (!etags) return { items: rows.slice(0, size), next_cursor };
  const versioned = rows.slice(0, size).map(splitVersion);
  return { items: versioned.map(({ row }) => row), etags: versioned.map(({ etag }) => etag), next_cursor };
}

export const countRows = async (db: Db, source: RowSource, where: Sql) =>
  (await db.row<{ total: number }>(sql`select count(*) as total from ${source.relation} where ${where}`))?.total ?? 0;

/** No column of a caller's is called so. */
export const version = '~etag';

/** Splits the version off from the cells. */
export function splitVersion({ [version]: etag, ...row }: Row): VersionedRow {
  return { row: row as Row, etag: typeof etag === 'string' ? etag : null };
}

/** The columns, and the transaction that wrote the row: rows have no columns besides those of the caller. */
export const versionedColumns = (source: Pick<RowSource, 'columns'>): Sql =>
  sql`${shownColumns(source)}, xmin::text as ${identifier(version)}`;

/** The row and its version as they are at one moment. */
export async function findVersionedRow(db: Db, source: RowSource, id: string | number, isVersioned: boolean) {
  const columns = isVersioned ? versionedColumns(source) : shownColumns(source);
  const found = await db.row<Row>(sql`select ${columns} from ${source.relation} where id = ${id}`);
  return found && splitVersion(found);
}

export const findRow = (db: Db, source: RowSource, id: string | number) =>
  db.row<Row>(sql`select ${shownColumns(source)} from ${source.relation} where id = ${id}`);

/** Those of the ids that are rows of the table. */
export const findExistingIds = async (db: Db, table: TableRow, ids: readonly (string | number)[]) => {
  const type = databaseTypes[idValueType(table.id_type)];
  const rows = await db.rows<{ id: string | number }>(sql`
    select id from ${relationOf(table)} where id = any(${ids}::${type}[])`);
  return new Set(rows.map(({ id }) => id));
};

const amongIds = (table: TableRow, cell: Sql, ids: readonly (string | number)[]) =>
  sql`${cell} = any(${[...ids]}::${databaseTypes[idValueType(table.id_type)]}[])`;

/** Keeps rows from being changed or referred to until the transaction ends; those of the ids that there are, with versions. */
export const lockRows = (tx: Db, table: TableRow, ids: readonly (string | number)[]) =>
  tx.rows<{ id: string | number; etag: string }>(sql`
    select id, xmin::text as etag from ${relationOf(table)} where ${amongIds(table, sql`id`, ids)} order by id for update`);

/** The rows whose reference names one of these ids. */
export const findReferringIds = async (
  tx: Db,
  table: TableRow,
  column: string,
  ids: readonly (string | number)[],
  limit: number,
) => {
  const type = databaseTypes[required(typesOf(table).get(column))];
  const rows = await tx.rows<{ id: string | number }>(sql`
    select id from ${relationOf(table)} where ${identifier(column)} = any(${[...ids]}::${type}[])
    order by id limit ${limit} for update`);
  return rows.map(({ id }) => id);
};

/** The ids of rows that meet a condition, kept from changing until the transaction ends. */
export const lockMatchingRows = (tx: Db, table: TableRow, where: Sql, limit: number) =>
  tx.rows<{ id: string | number; etag: string }>(sql`
    select id, xmin::text as etag from ${relationOf(table)} where ${where} order by id limit ${limit} for update`);
