import type { PageWindow } from '@atrium/contract/page.ts';
import type { RunSort } from '@atrium/contract/runs/run-figures.ts';
import { createdBetween } from '../db/created-between.ts';
import type { Db } from '../db/database.ts';
import { nothing, type Sql, sql } from '../db/sql.ts';

/** Filters that runs of every kind have. */
export interface FigureFilter {
  person_id?: string | undefined;
  trigger_id?: string | undefined;
  parent_run_id?: string | undefined;
  min_cost?: number | undefined;
  min_tokens?: number | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
}

const used = (workspace_id: string, where: Sql) => sql`and id in (
  select t.run_id from run_figures t where t.workspace_id = ${workspace_id} and ${where})`;

/** The conditions of a filter, each after an `and`; columns are those of the table of runs. */
export const matchingFigures = (workspace_id: string, filter: FigureFilter): Sql => {
  const { person_id, trigger_id, parent_run_id, min_cost, min_tokens } = filter;
  return sql`
    ${person_id === undefined ? nothing : sql`and person_id = ${person_id}`}
    ${trigger_id === undefined ? nothing : sql`and trigger_id = ${trigger_id}`}
    ${parent_run_id === undefined ? nothing : sql`and parent_run_id = ${parent_run_id}`}
    ${min_cost === undefined ? nothing : used(workspace_id, sql`t.cost >= ${min_cost}::double precision`)}
    ${min_tokens === undefined ? nothing : used(workspace_id, sql`t.tokens >= ${min_tokens}::bigint`)}
    ${createdBetween(filter)}`;
};

const figures = {
  '-cost': { column: sql`t.cost`, order: sql`desc`, beyond: sql`<` },
  cost: { column: sql`t.cost`, order: sql`asc`, beyond: sql`>` },
  '-tokens': { column: sql`t.tokens`, order: sql`desc`, beyond: sql`<` },
  tokens: { column: sql`t.tokens`, order: sql`asc`, beyond: sql`>` },
};

/**
 * Lists runs of one table in an order. By cost and tokens, the index on the totals leads to the runs; runs that the
 * index does not have come last.
 */
export async function listSorted<R extends object>(
  db: Db,
  list: { workspace_id: string; table: Sql; columns: Sql; where: Sql; sort: RunSort; window: PageWindow },
): Promise<R[]> {
  const { workspace_id, table, columns, where, sort } = list;
  const { size, offset, after } = list.window;
  const older = after ? sql`and id < ${after.id}` : nothing;
  if (sort === '-created_at')
    return db.rows<R>(
      sql`select ${columns} from ${table} where ${where} ${older} order by id desc limit ${size} offset ${offset}`,
    );
  const { column, order, beyond } = figures[sort];
  const reach = offset + size;
  const further = after ? sql`and (${column}, t.run_id) ${beyond} (${after.key}, ${after.id})` : nothing;
  const isPast = after?.key === null;
  const rows = isPast
    ? []
    : await db.rows<R>(sql`
    select run.* from run_figures t
      cross join lateral (select ${columns} from ${table} where ${where} and id = t.run_id limit 1) as run
    where t.workspace_id = ${workspace_id} and ${column} is not null ${further}
    order by ${column} ${order}, t.run_id ${order} limit ${reach}`);
  const others =
    rows.length === reach
      ? []
      : await db.rows<R>(sql`
          select ${columns} from ${table} where ${where} ${isPast ? older : nothing} and not exists (
            select 1 from run_figures t
            where t.workspace_id = ${workspace_id} and t.run_id = ${table}.id and ${column} is not null)
          order by id desc limit ${reach - rows.length}`);
  return [...rows, ...others].slice(offset);
}
