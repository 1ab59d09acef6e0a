import type { Table, TableColumn } from '@atrium/contract/tables/schema.ts';
import { isNumeric } from './cell-values.ts';

export type Row = Record<string, unknown> & { id: string | number };

export interface GridColumn extends Pick<TableColumn, 'name' | 'type' | 'choices' | 'references'> {
  label: string;
  isId: boolean;
  isNumeric: boolean;
  width: number;
  /** How far from the left edge of the first column. */
  left: number;
}

export interface Place {
  row: number;
  column: number;
}

/** Cells from one corner to the other, both included. */
export interface Area {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export const areaOf = (one: Place, other: Place): Area => ({
  top: Math.min(one.row, other.row),
  bottom: Math.max(one.row, other.row),
  left: Math.min(one.column, other.column),
  right: Math.max(one.column, other.column),
});

export const cellsIn = ({ top, bottom, left, right }: Area): number => (bottom - top + 1) * (right - left + 1);

const widths: Readonly<Record<TableColumn['type'], number>> = {
  ...{ text: 190, integer: 110, number: 120, boolean: 104, date: 124, datetime: 164, json: 220, uuid: 200 },
  reference: 160,
};

/** The columns in view, with the id first. */
export function gridColumns(table: Table, hidden: ReadonlySet<string>): GridColumn[] {
  const id = { name: 'id', type: table.id_type === 'uuid' ? 'uuid' : 'integer', label: null } as const;
  const all = [{ ...id, choices: null, references: null }, ...table.columns];
  let left = 0;
  return all
    .filter(({ name }) => !hidden.has(name))
    .map(({ name, type, label, choices, references }) => {
      const isId = name === 'id';
      const title = (label || name).length * 8 + 48;
      const width = isId ? (type === 'uuid' ? 150 : 84) : Math.min(280, Math.max(widths[type], title));
      const column = { ...{ name, type, choices, references, isId, width, left }, label: label || name };
      left += width;
      return { ...column, isNumeric: isNumeric(column) };
    });
}

/** The width of the column with the numbers of the rows. */
export const numberWidth = 60;
export const headHeight = 36;
/** Browsers draw no element that is much higher than this many rows. */
export const mostRows = 800_000;
