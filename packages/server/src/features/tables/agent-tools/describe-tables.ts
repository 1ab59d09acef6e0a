import { filterOperators } from '@atrium/contract/tables/schema.ts';
import type { IdType } from '@atrium/contract/tables/types.ts';
import { z } from 'zod';
import type { ColumnRow } from '../store.ts';

/** A table as an agent knows it. */
export interface ToolTable {
  id: string;
  sql_name: string;
  name: string;
  description: string | null;
  id_type: IdType;
  columns: ColumnRow[];
  writes: boolean;
  /** The author of the agent vouches for the content. */
  trusted: boolean;
  /** The entry of the settings that gives it to the agent. */
  entry: Readonly<Record<string, unknown>>;
}

/** A filter as the model writes it; it is checked against the table when it is used. */
export const filterShape = z.object({
  column: z.string(),
  op: z.enum(filterOperators).default('eq'),
  value: z.unknown().optional(),
});

const mostText = 12_000;

const describeColumn = ({ name, type, label, references_table, choices }: ColumnRow, tables: readonly ToolTable[]) => {
  const target = tables.find(({ id }) => id === references_table)?.sql_name;
  const of = target ? ` (id of ${target})` : '';
  const among = choices ? ` (one of: ${choices.map(({ value }) => value).join(' | ')})` : '';
  return `${name} ${type}${of}${among}${label && label !== name ? ` "${label}"` : ''}`;
};

/** The tables and their columns, for a model to read. */
export function describeTables(tables: readonly ToolTable[]): string {
  const lines = tables.map((table) => {
    const about = [table.name, table.description].filter(Boolean).join(': ');
    const columns = table.columns.map((column) => describeColumn(column, tables));
    const id = `id ${table.id_type === 'uuid' ? 'uuid' : 'integer'}`;
    return `- ${table.sql_name} (${about}; ${table.writes ? 'read and write' : 'read only'}): ${[id, ...columns].join(', ')}`;
  });
  const text = lines.join('\n');
  return text.length > mostText ? `${text.slice(0, mostText)}…` : text;
}

/** A row in words: `name: Ada, born: 1815-12-10`. */
export const columnsShape = ({ id: _, ...cells }: Record<string, unknown>): string =>
  Object.entries(cells)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(', ');
