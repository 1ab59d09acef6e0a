import type { Facets } from '@atrium/contract/page.ts';
import type { Db } from './database.ts';
import { identifier, join, literal, nothing, type Sql, sql } from './sql.ts';

/** Only so many matching rows are counted, so that facets of a long list cost no more than those of a short one. */
const mostRows = 10_000;
const mostValues = 1_000;

/**
 * How many rows of `from …` have each value of some columns, by name; the most frequent value first. Of a column of `lists`
 * each element is a value.
 */
export async function countFacets(
  db: Db,
  from: Sql,
  columns: Readonly<Record<string, Sql>>,
  lists: Readonly<Record<string, Sql>> = {},
): Promise<Facets> {
  const names = Object.keys({ ...columns, ...lists });
  const selected = Object.entries({ ...columns, ...lists }).map(
    ([name, column]) => sql`${column} as ${identifier(name)}`,
  );
  const counted = names.map((name) => {
    const each = Object.hasOwn(lists, name) ? sql`cross join unnest(${identifier(name)}) as element (value)` : nothing;
    const value = Object.hasOwn(lists, name) ? sql`element.value` : identifier(name);
    return sql`select ${literal(name)} as field, ${value}::text as value, count(*) as count
      from matching ${each} group by ${value}`;
  });
  const rows = await db.rows<{ field: string; value: string | null; count: number }>(sql`
    with matching as materialized (select ${join(selected, sql`, `)} ${from} limit ${mostRows})
    select field, value, count from (${join(counted, sql` union all `)}) facets
    order by count desc, value limit ${mostValues}`);
  const facets: Facets = Object.fromEntries(names.map((name) => [name, []]));
  for (const { field, value, count } of rows) facets[field]?.push({ value, count });
  return facets;
}

/** The sums of several lists' counts, for a list that is put together of them. */
export function addFacets(lists: readonly (Facets | undefined)[]): Facets {
  const sums: Record<string, Map<string | null, number>> = {};
  for (const [field, counts] of lists.flatMap((list) => Object.entries(list ?? {}))) {
    const sum = sums[field] ?? new Map<string | null, number>();
    sums[field] = sum;
    for (const { value, count } of counts) sum.set(value, (sum.get(value) ?? 0) + count);
  }
  return Object.fromEntries(
    Object.entries(sums).map(([field, sum]) => [
      field,
      [...sum].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count),
    ]),
  );
}
