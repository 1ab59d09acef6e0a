import { invalid } from '@atrium/contract/errors.ts';
import type { ValueType } from '@atrium/contract/tables/types.ts';
import { identifier, join, type Sql, sql } from '../../../db/sql.ts';
import { isUnfitValue, makeValueReader } from '../value-reader.ts';
import { typed } from './filters.ts';
import { type Row, type RowSource, typesOf } from './row-source.ts';

interface Step {
  column: string;
  type: ValueType;
  down: boolean;
}

/** What a page is sorted by; the id is always the last, so that no two rows are equal. */
export type Order = readonly Step[];

const mostColumns = 3;

/** `-amount,name`: largest amount first, then by name. */
export function readOrder(source: RowSource, text: string | undefined, at: string[]): Order {
  const types = typesOf(source);
  const steps = (text ?? '')
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part): Step => {
      const [, sign, column = ''] = /^([-+]?)(.*)$/s.exec(part.trim()) ?? [];
      const type = types.get(column);
      if (!type) throw invalid(at, 'no such column in this table', text);
      return { column, type, down: sign === '-' };
    });
  if (steps.length > mostColumns) throw invalid(at, `rows are sorted by at most ${mostColumns} columns`, text);
  if (new Set(steps.map(({ column }) => column)).size < steps.length)
    throw invalid(at, 'each column is sorted by once', text);
  const end = steps.findIndex(({ column }) => column === 'id');
  if (end !== -1) return steps.slice(0, end + 1);
  return [...steps, { column: 'id', type: types.get('id') as ValueType, down: steps[0]?.down ?? false }];
}

/** Empty cells last, or first when turned around: the order in which an index can be read either way. */
export const orderBy = (order: Order): Sql =>
  join(
    order.map(({ column, down }) => sql`${identifier(column)} ${down ? sql`desc nulls first` : sql`asc nulls last`}`),
    sql`, `,
  );

const signature = (order: Order) => order.map(({ column, down }) => `${down ? '-' : ''}${column}`).join(',');

/** Where a page ended: what its last row is sorted by. */
export const cursorOf = (order: Order, row: Row): string =>
  Buffer.from(JSON.stringify([signature(order), ...order.map(({ column }) => row[column] ?? null)])).toString(
    'base64url',
  );

/** The values a cursor holds, or a fault: it is of another sort, or nobody of ours made it. */
export function readCursor(order: Order, cursor: string, at: string[]): unknown[] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = undefined;
  }
  if (!Array.isArray(parts) || parts.length !== order.length + 1 || parts[0] !== signature(order))
    throw invalid(at, 'this cursor does not belong to a list that is sorted so', cursor);
  return order.map(({ type }, index) => {
    const read = makeValueReader(type)(parts[index + 1]);
    if (isUnfitValue(read)) throw invalid(at, 'this cursor does not belong to a list that is sorted so', cursor);
    return read.value;
  });
}

const after = ({ column, type, down }: Step, value: unknown): Sql => {
  const cell = identifier(column);
  if (value === null) return down ? sql`${cell} is not null` : sql`false`;
  return down ? sql`${cell} < ${typed(value, type)}` : sql`(${cell} > ${typed(value, type)} or ${cell} is null)`;
};
const same = ({ column, type }: Step, value: unknown): Sql =>
  value === null ? sql`${identifier(column)} is null` : sql`${identifier(column)} = ${typed(value, type)}`;

/** Later than these values: by the first column, or the same there and later by the rest. */
function laterBy(order: Order, values: readonly unknown[]): Sql {
  const [[first, ...rest], [value, ...others]] = [order as [Step, ...Step[]], values];
  if (rest.length === 0) return after(first, value);
  return sql`(${after(first, value)} or (${same(first, value)} and ${laterBy(rest, others)}))`;
}

/**
 * The rows behind a cursor as ranges to be read one after the other, each of which an index can find the beginning of.
 * In one condition, empty cells would make it read everything before.
 */
export function rangesAfter(order: Order, values: readonly unknown[]): Sql[] {
  const [first, value] = [order[0] as Step, values[0]];
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
