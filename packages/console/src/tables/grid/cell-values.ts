import type { TableColumn } from '@atrium/contract/tables/schema.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { fromZoned, hasZone, toZoned } from './zone-time.ts';

/** What of a column decides how its cells are shown and written. */
export type CellColumn = Pick<TableColumn, 'name' | 'type' | 'choices'>;

export type ReadCell = { value: unknown } | { fault: string };
const { faults } = rowTexts;

/** A cell as it is copied and edited: what `readCell` reads back. */
export function writeCell({ type }: CellColumn, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (type === 'json') return JSON.stringify(value);
  return String(value);
}

/** A cell as people read it. */
export function sayCell(column: CellColumn, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (column.choices) return column.choices.find((choice) => choice.value === value)?.label ?? String(value);
  if (column.type === 'boolean') return value ? rowTexts.yes : rowTexts.no;
  if (column.type === 'datetime') return sayDateTime(String(value));
  if (column.type === 'json') return JSON.stringify(value);
  return String(value);
}

/** "2026-11-30 09:00", in the person's zone. */
function sayDateTime(value: string): string {
  return Number.isNaN(Date.parse(value)) ? value : toZoned(value).slice(0, 16).replace('T', ' ');
}

const truths: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, '1': true, x: true, '✓': true },
  ...{ false: false, no: false, '0': false },
};
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function isDate(text: string): boolean {
  const time = new Date(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

const isoOf = (text: string) => (Number.isNaN(Date.parse(text)) ? undefined : new Date(text).toISOString());

function readJson(text: string): ReadCell {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { fault: faults.json(text) };
  }
}

/** Reads what was typed or pasted as a value of the column. Nothing empties the cell. */
export function readCell(column: CellColumn, typed: string): ReadCell {
  const text = typed.trim();
  if (text === '') return { value: null };
  if (column.choices) {
    const choice =
      column.choices.find(({ value }) => value === text) ?? column.choices.find(({ label }) => label === text);
    return choice ? { value: choice.value } : { fault: faults.choice(text) };
  }
  switch (column.type) {
    case 'integer':
      return /^[-+]?\d{1,16}$/.test(text) ? { value: Number(text) } : { fault: faults.integer(text) };
    case 'number':
      return Number.isFinite(Number(text)) ? { value: Number(text) } : { fault: faults.number(text) };
    case 'boolean': {
      const value = truths[text.toLowerCase()];
      return value === undefined ? { fault: faults.boolean(text) } : { value };
    }
    case 'date':
      return isDate(text) ? { value: text } : { fault: faults.date(text) };
    case 'datetime': {
      const value = hasZone(text) ? isoOf(text) : fromZoned(text);
      return value === undefined ? { fault: faults.datetime(text) } : { value };
    }
    case 'json':
      return readJson(text);
    case 'uuid':
      return uuid.test(text) ? { value: text.toLowerCase() } : { fault: faults.uuid(text) };
    case 'reference':
      return { value: /^\d{1,16}$/.test(text) ? Number(text) : text };
    default:
      return { value: typed };
  }
}

export const isNumeric = ({ type }: Pick<CellColumn, 'type'>): boolean => type === 'integer' || type === 'number';
