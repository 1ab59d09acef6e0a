import type { ChangeReport, Table, TableColumn } from '@atrium/contract/tables/schema.ts';
import type { Db } from '../../db/database.ts';
import type { PlatformTable } from './platform-tables.ts';
import type { ColumnRow, TableRow } from './store.ts';

/** Finds the agents and workflows that use tables, by the id of the table. */
export type TableUsers = (
  db: Db,
  workspace_id: string,
  ids: readonly string[],
) => Promise<Map<string, Table['used_by']>>;

const presentColumn = (column: ColumnRow): TableColumn => ({
  name: column.name,
  type: column.type,
  label: column.label,
  default: column.default_value,
  references: column.references_table,
  on_delete: column.on_delete,
  indexed: column.indexed,
  choices: column.choices,
});

export const presentTable = (row: TableRow, used_by: Table['used_by'], report: ChangeReport | null = null): Table => ({
  id: row.id,
  group_id: row.group_id,
  name: row.name,
  sql_name: row.sql_name,
  description: row.description,
  id_type: row.id_type,
  columns: row.columns.map(presentColumn),
  meta: row.meta,
  created_at: row.created_at,
  updated_at: row.updated_at,
  etag: row.etag,
  source: 'custom',
  deleted_at: row.dropped_at,
  dropped_columns: row.dropped_columns.map(({ name, type, dropped_at }) => ({
    name,
    type,
    dropped_at: dropped_at as string,
  })),
  used_by,
  report,
});

export const presentPlatform = (
  workspace_id: string,
  table: PlatformTable & { id: string },
  used_by: Table['used_by'],
): Table => ({
  id: table.id,
  group_id: workspace_id,
  name: table.name,
  sql_name: table.sql_name,
  description: table.description,
  id_type: 'uuid',
  columns: table.columns.map(presentColumn),
  meta: {},
  created_at: null,
  updated_at: null,
  etag: null,
  source: 'platform',
  deleted_at: null,
  dropped_columns: [],
  used_by,
  report: null,
});
