import type { RowTotals } from '@atrium/contract/tables/rows-schema.ts';
import type { ValueType } from '@atrium/contract/tables/types.ts';
import type { Db } from '../../../db/database.ts';
import { identifier, join, type Sql, sql } from '../../../db/sql.ts';
import { required } from '../../../lib/required.ts';
import { type RowSource, typesOf } from './row-source.ts';

const addable: readonly ValueType[] = ['integer', 'number'];
/** PostgreSQL has no smallest of these, or not in all versions. */
const unordered: readonly ValueType[] = ['json', 'uuid', 'boolean'];

const figures = ['count', 'sum', 'avg', 'min', 'max'] as const;
type Figure = (typeof figures)[number];

function figureOf(figure: Figure, cell: Sql, type: ValueType): Sql {
  if (figure === 'count') return sql`count(${cell})`;
  if (figure === 'sum' || figure === 'avg') {
    if (!addable.includes(type)) return sql`null::double precision`;
    return figure === 'sum' ? sql`sum(${cell})::double precision` : sql`avg(${cell})::double precision`;
  }
  if (unordered.includes(type)) return sql`null::text`;
  return figure === 'min' ? sql`min(${cell})` : sql`max(${cell})`;
}

/** Computes the figures of columns over the rows that meet a condition, in one statement. */
export async function totalRows(db: Db, source: RowSource, where: Sql, columns: readonly string[]): Promise<RowTotals> {
  const types = typesOf(source);
  const parts = columns.flatMap((column, index) =>
    figures.map(
      (figure) =>
        sql`${figureOf(figure, identifier(column), required(types.get(column)))} as ${identifier(`${index} ${figure}`)}`,
    ),
  );
  const row = await db.one<Record<string, unknown>>(sql`
    select ${join([sql`count(*) as count`, ...parts], sql`, `)} from ${source.relation} where ${where}`);
  const shown = columns.map((column, index) => [
    column,
    Object.fromEntries(figures.map((figure) => [figure, row[`${index} ${figure}`] ?? null])),
  ]);
  return { count: row['count'], columns: Object.fromEntries(shown) } as RowTotals;
}
