import { identifier, type Sql } from '../../../db/sql.ts';
import type { ColumnRow, TableRow } from '../store.ts';

const hex = (id: string) => id.replaceAll('-', '');

/** Names of users never contain this sign, so dropped tables and columns collide with nothing. */
export const droppedTableName = (id: string) => `~${hex(id)}`;

export const constraintOf = ({ id }: Pick<ColumnRow, 'id'>): Sql => identifier(`fk_${hex(id)}`);
export const constraintColumn = (constraint: string) =>
  constraint.replace(/^fk_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
export const choicesConstraintOf = ({ id }: Pick<ColumnRow, 'id'>): Sql => identifier(`ch_${hex(id)}`);
export const indexOf = ({ id }: Pick<ColumnRow, 'id'>): Sql => identifier(`ix_${hex(id)}`);

type Placed = Pick<TableRow, 'id' | 'sql_name' | 'dropped_at' | 'schema_name' | 'read_schema_name'>;

/** The table itself, also while it is dropped. */
export const relationOf = (table: Placed): Sql =>
  identifier(table.schema_name, table.dropped_at ? droppedTableName(table.id) : table.sql_name);
/** What the workspace's role sees of it. */
export const viewOf = (table: Placed): Sql => identifier(table.read_schema_name, table.sql_name);
/** An index is in the schema of its table. */
export const qualifiedIndexName = (table: Placed, column: Pick<ColumnRow, 'id'>): Sql =>
  identifier(table.schema_name, `ix_${hex(column.id)}`);

export const spaceNames = (workspace_id: string) => ({
  schema_name: `ws_${hex(workspace_id)}`,
  read_schema_name: `ws_${hex(workspace_id)}_read`,
});
