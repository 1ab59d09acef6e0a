import type { ListFilter } from '@atrium/contract/list-query.ts';
import { lowestIdAt } from '../lib/ids.ts';
import { join, nothing, replanEachTime, type Sql, sql } from './sql.ts';

/** The columns behind the search, sort and time parameters of a list. The id ends every order. */
export interface ListColumns {
  id: Sql;
  created_at: Sql;
  /** Ids are made with their rows and never imported, so they rise with time and their index finds times. */
  ids_rise?: true;
  updated_at?: Sql;
  /** Texts that a search looks into. */
  search?: readonly Sql[];
  /** What each name of `sort` orders by; `created_at` is always there. */
  sort?: Readonly<Record<string, Sql>>;
}

/** Ids are made by this program and times by the database, whose clock may differ by less than this. */
const clockSlackMs = 3_600_000;
const idBound = (time: string, shift: number) => lowestIdAt(Date.parse(time) + shift);

/** Finds a text anywhere in another, in any case; in a form that a trigram index serves. */
export const containsText = (column: Sql, text: string): Sql =>
  sql`lower(${column}) like lower(${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`})`;

/** The conditions of a list's query, each with `and` before it. */
export function listConditions(columns: ListColumns, filter: ListFilter): Sql {
  const { id, created_at, ids_rise, updated_at, search } = columns;
  const conditions: Sql[] = [];
  if (filter.search && search)
    conditions.push(
      sql`and (${join(
        search.map((column) => containsText(column, filter.search ?? '')),
        sql` or `,
      )})`,
    );
  const { created_after, created_before } = filter;
  if (created_after !== undefined) conditions.push(sql`and ${created_at} >= ${created_after}`);
  if (created_after !== undefined && ids_rise)
    conditions.push(sql`and ${id} >= ${idBound(created_after, -clockSlackMs)}`);
  if (created_before !== undefined) conditions.push(sql`and ${created_at} < ${created_before}`);
  if (created_before !== undefined && ids_rise)
    conditions.push(sql`and ${id} < ${idBound(created_before, clockSlackMs)}`);
  if (filter.updated_after !== undefined && updated_at)
    conditions.push(sql`and ${updated_at} >= ${filter.updated_after}`);
  // There are many combinations, each with a best plan of its own.
  return conditions.length ? sql`${join(conditions, sql` `)}${replanEachTime}` : nothing;
}

/** What a list is ordered by before the id; null: the id alone. */
export interface ListOrder {
  by: Sql | null;
  down: boolean;
}

export const newestFirst: ListOrder = { by: null, down: true };
export const oldestFirst: ListOrder = { by: null, down: false };

/** The order that `sort` asks for. */
export function orderOf(
  { created_at, ids_rise, sort = {} }: ListColumns,
  asked: string | undefined,
  unlessGiven: ListOrder,
): ListOrder {
  if (asked === undefined) return unlessGiven;
  const down = asked.startsWith('-');
  const column = sort[down ? asked.slice(1) : asked] ?? created_at;
  const by = column === created_at && ids_rise ? null : column;
  return { by: by && sql`${by}${replanEachTime}`, down };
}

export function orderSql({ id }: Pick<ListColumns, 'id'>, { by, down }: ListOrder): Sql {
  const direction = down ? sql`desc` : nothing;
  return by ? sql`${by} ${direction}, ${id} ${direction}` : sql`${id} ${direction}`;
}
