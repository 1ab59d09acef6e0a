import { invalid } from '@atrium/contract/errors.ts';
import type { ValueType } from '@atrium/contract/tables/types.ts';
import { required } from '../../../lib/required.ts';
import { isUnfitValue, makeValueReader } from '../value-reader.ts';
import { type Row, type RowSource, typesOf } from './row-source.ts';

export interface SortStep {
  column: string;
  type: ValueType;
  down: boolean;
}

/** The columns that a page is sorted by; the id is always the last, so that no two rows are equal. */
export type Order = readonly SortStep[];

const mostColumns = 3;

/** Reads `-amount,name`: largest amount first, then by name. */
export function readOrder(source: RowSource, text: string | undefined, at: string[]): Order {
  const types = typesOf(source);
  const steps = (text ?? '')
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part): SortStep => {
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
  return [...steps, { column: 'id', type: required(types.get('id')), down: steps[0]?.down ?? false }];
}

const signature = (order: Order) => order.map(({ column, down }) => `${down ? '-' : ''}${column}`).join(',');

/** The position after a row: its sort values. */
export const cursorOf = (order: Order, row: Row): string =>
  Buffer.from(JSON.stringify([signature(order), ...order.map(({ column }) => row[column] ?? null)])).toString(
    'base64url',
  );

/** The sort values of a cursor; refuses one that belongs to another sort order or is malformed. */
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
