import { invalidCursor, type Position } from '@atrium/contract/cursor.ts';
import type { Facets, PageWindow } from '@atrium/contract/page.ts';
import { errorCode } from '../lib/error-code.ts';
import { omit } from '../lib/omit.ts';
import { countFacets } from './count-facets.ts';
import { countRows } from './count-rows.ts';
import type { Db } from './database.ts';
import { type ListColumns, type ListOrder, newestFirst, orderOf, orderSql } from './list-query.ts';
import { nothing, type Sql, sql } from './sql.ts';

/** What a statement of a list is made of: columns that name an entry's position, conditions after an `and`, the order, the limit. */
export interface PagePieces {
  position: Sql;
  after: Sql;
  order: Sql;
  limit: Sql;
}

interface PageStatement {
  columns: Sql;
  /** Tables with their joins. */
  from: Sql;
  /** Tables for the count, where joins do not change it. */
  counted?: Sql;
  where: Sql;
  list: ListColumns;
  /** The order without `sort`. */
  order?: ListOrder;
  window: PageWindow;
  /** Columns whose values are counted when the window asks for it, by name. */
  facets?: Readonly<Record<string, Sql>>;
  /** Another form of the statement than `select … from … where … order by … limit …`. */
  statement?: (pieces: PagePieces) => Sql;
}

export interface PageRows<R> {
  rows: R[];
  total: number;
  /** The last entry of the page; null if none follows. */
  last: Position | null;
  facets?: Facets;
}

/**
 * Conditions on the entries after a position, in their order. Empty keys come last when ascending and first when
 * descending; they have a condition of their own, since one condition for both kinds would not be found by an index.
 */
function conditionsAfter({ by, down }: ListOrder, id: Sql, after: Position | undefined): Sql[] {
  if (!after) return [nothing];
  const beyond = down ? sql`<` : sql`>`;
  if (!by) return [sql`and ${id} ${beyond} ${after.id}`];
  if (after.key === null)
    return [sql`and ${by} is null and ${id} ${beyond} ${after.id}`, ...(down ? [sql`and ${by} is not null`] : [])];
  return [sql`and (${by}, ${id}) ${beyond} (${after.key}, ${after.id})`, ...(down ? [] : [sql`and ${by} is null`])];
}

/** A key or an id that is no value of its column (class 22 of PostgreSQL's errors) was not made by this list. */
export const refuseForeignCursor = <T>({ after }: PageWindow, reading: Promise<T>): Promise<T> =>
  reading.catch((error: unknown) => {
    throw after && String(errorCode(error)).startsWith('22') ? invalidCursor(after.id) : error;
  });

type Positioned = { list_key: string | null; list_id: string };

/** Reads a page of a list, by number or after a position; the latter reads no more rows than the page has. */
export async function readPage<R extends object>(db: Db, page: PageStatement): Promise<PageRows<R>> {
  const { columns, from, counted = from, where, list, window } = page;
  const order = orderOf(list, window.sort, page.order ?? newestFirst);
  const position = sql`${order.by ? sql`(${order.by})::text` : sql`null`} as list_key, ${list.id}::text as list_id`;
  const statement =
    page.statement ??
    ((pieces) => sql`select ${columns}, ${pieces.position} from ${from} where ${where} ${pieces.after}
      order by ${pieces.order} ${pieces.limit}`);

  async function read(): Promise<(R & Positioned)[]> {
    const rows: (R & Positioned)[] = [];
    for (const after of conditionsAfter(order, list.id, window.after)) {
      // One more than the page has tells whether another page follows.
      const limit = sql`limit ${window.size + 1 - rows.length} offset ${window.offset}`;
      rows.push(
        ...(await db.rows<R & Positioned>(statement({ position, after, order: orderSql(list, order), limit }))),
      );
      if (rows.length > window.size) break;
    }
    return rows;
  }

  /** Rows are counted only where the page does not show by itself how many there are. */
  async function count(found: readonly unknown[]): Promise<number> {
    if (window.total !== undefined) return window.total;
    const showsEnd = found.length <= window.size && (found.length > 0 || window.offset === 0);
    return showsEnd ? window.offset + found.length : countRows(db, sql`from ${counted} where ${where}`);
  }

  const reading = refuseForeignCursor(window, read());
  const [found, total, facets] = await Promise.all([
    reading,
    reading.then(count),
    window.facets && page.facets
      ? countFacets(db, sql`from ${from} where ${where} order by ${orderSql(list, order)}`, page.facets)
      : undefined,
  ]);
  const rows = found.slice(0, window.size);
  const end = found.length > rows.length ? rows.at(-1) : undefined;
  return {
    rows: rows.map((row) => omit(row, ['list_key', 'list_id']) as unknown as R),
    total,
    last: end ? { key: end.list_key, id: end.list_id } : null,
    ...(facets && { facets }),
  };
}

/**
 * The page of entries that were read from the first on, with at least one more where there is one. `last` is its last
 * entry; null if none follows.
 */
export function cutPage<T extends { id: string }>(
  entries: readonly T[],
  { offset, size }: { offset: number; size: number },
  keyOf: (entry: T) => string | null = () => null,
): { page: T[]; last: Position | null } {
  const page = entries.slice(offset, offset + size);
  const end = entries.length > offset + size ? page.at(-1) : undefined;
  return { page, last: end ? { key: keyOf(end), id: end.id } : null };
}
