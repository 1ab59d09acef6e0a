import type { FilterOperator, TableColumn } from '@atrium/contract/tables/schema.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { readCell } from '../grid/cell-values.ts';
import type { GridColumn } from '../grid/grid-types.ts';

/** One condition on the rows, as the address and the server have it. */
export interface Filter {
  column: string;
  op: FilterOperator;
  value?: unknown;
}

/** The filters of an address; what can't be read is no filter. */
export function readFilters(text: string | undefined): Filter[] {
  try {
    const filters: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(filters) ? filters.filter((filter) => typeof filter?.column === 'string') : [];
  } catch {
    return [];
  }
}

export const writeFilters = (filters: readonly Filter[]): string | undefined =>
  filters.length > 0 ? JSON.stringify(filters) : undefined;

const order: readonly FilterOperator[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'];
const texts: readonly FilterOperator[] = ['contains', 'starts_with', 'ends_with'];

/** How cells of a type can be compared. */
export function operatorsOf(type: TableColumn['type'], hasChoices: boolean): FilterOperator[] {
  const byType: FilterOperator[] =
    type === 'boolean'
      ? ['eq']
      : type === 'json'
        ? ['contains']
        : type === 'uuid' || type === 'reference' || hasChoices
          ? ['eq', 'ne', 'in', 'not_in']
          : type === 'text'
            ? [...texts, 'eq', 'ne', 'in', 'not_in']
            : [...order, 'in', 'not_in'];
  return [...byType, 'is_null'];
}

export function sayOperator(op: FilterOperator, type: TableColumn['type'] | undefined): string {
  const { operators, dateOperators } = rowTexts.filter;
  const isTime = type === 'date' || type === 'datetime';
  return (isTime ? dateOperators[op] : undefined) ?? operators[op] ?? op;
}

/** "delivered is after 2026-11-01". */
export function sayFilter({ column, op = 'eq', value }: Filter, columns: readonly GridColumn[]): string {
  const known = columns.find(({ name }) => name === column);
  if (op === 'is_null' && value === false) return `${known?.label ?? column} ${rowTexts.filter.isNotEmpty}`;
  const said = op === 'is_null' ? '' : Array.isArray(value) ? value.join(', ') : sayValue(value);
  return rowTexts.filter.say(known?.label ?? column, sayOperator(op, known?.type), said);
}

const sayValue = (value: unknown): string =>
  value === true
    ? rowTexts.yes
    : value === false
      ? rowTexts.no
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);

/** What was typed as the value of a condition, or why it is none. */
export function readFilterValue(
  column: GridColumn,
  op: FilterOperator,
  text: string,
): { value: unknown } | { fault: string } {
  if (op === 'is_null') return { value: text !== 'false' };
  if (texts.includes(op) && column.type === 'text') return { value: text };
  if (op !== 'in' && op !== 'not_in') return readCell(column, text);
  const values: unknown[] = [];
  for (const part of text.split(',').filter((entry) => entry.trim() !== '')) {
    const read = readCell(column, part.trim());
    if ('fault' in read) return read;
    values.push(read.value);
  }
  return { value: values };
}
