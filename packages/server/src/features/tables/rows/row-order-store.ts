import { identifier, join, type Sql, sql } from '../../../db/sql.ts';
import { required } from '../../../lib/required.ts';
import { typed } from './filter-store.ts';
import type { Order, SortStep } from './row-order.ts';

/** Empty cells are last, or first in descending order, as in an index that is read backwards. */
export const orderBy = (order: Order): Sql =>
  join(
    order.map(({ column, down }) => sql`${identifier(column)} ${down ? sql`desc nulls first` : sql`asc nulls last`}`),
    sql`, `,
  );

const after = ({ column, type, down }: SortStep, value: unknown): Sql => {
  const cell = identifier(column);
  if (value === null) return down ? sql`${cell} is not null` : sql`false`;
  return down ? sql`${cell} < ${typed(value, type)}` : sql`(${cell} > ${typed(value, type)} or ${cell} is null)`;
};
const same = ({ column, type }: SortStep, value: unknown): Sql =>
  value === null ? sql`${identifier(column)} is null` : sql`${identifier(column)} = ${typed(value, type)}`;

/** After these values: by the first column, or equal there and after them by the rest. */
function laterBy(order: Order, values: readonly unknown[]): Sql {
  const [[first, ...rest], [value, ...others]] = [order as [SortStep, ...SortStep[]], values];
  if (rest.length === 0) return after(first, value);
  return sql`(${after(first, value)} or (${same(first, value)} and ${laterBy(rest, others)}))`;
}

/**
 * The rows after a cursor as ranges to read one after another; an index finds the beginning of each. As one condition,
 * empty cells would make PostgreSQL read all rows before the cursor.
 */
export function rangesAfter(order: Order, values: readonly unknown[]): Sql[] {
  const [first, value] = [required(order[0]), values[0]];
  const cell = identifier(first.column);
  const later = laterBy(order, values);
  if (first.column === 'id') return [later];
  if (first.down) {
    if (value === null) return [sql`${cell} is null and ${later}`, sql`${cell} is not null`];
    return [sql`${cell} <= ${typed(value, first.type)} and ${later}`];
  }
  if (value === null) return [sql`${cell} is null and ${later}`];
  return [sql`${cell} >= ${typed(value, first.type)} and ${later}`, sql`${cell} is null`];
}
