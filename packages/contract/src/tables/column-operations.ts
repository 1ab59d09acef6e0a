import { operation } from '../operation.ts';
import { tablesRoutes } from './routes.ts';
import * as schema from './schema.ts';

const tag = 'Tables';

export const addColumn = operation({
  id: 'columns.add',
  route: tablesRoutes['columns.add'],
  summary: 'Add a column',
  description:
    'Adds a column to a table. Rows that exist get the default, or an empty cell when there is none. With `dry_run` the answer shows the table as it would become and nothing is stored.',
  tag,
  permission: 'tables_edit',
  params: schema.tableParams,
  query: schema.dryRunQuery,
  body: schema.columnCreate,
  example: { name: 'shipped_on', type: 'date', label: 'Shipped on' },
  answer: schema.table,
});

export const updateColumn = operation({
  id: 'columns.update',
  route: tablesRoutes['columns.update'],
  summary: 'Update a column',
  description:
    'Changes the label, the default for new rows, the index, the delete rule or the choices of a column. When rows have a value that is no longer among the choices, the request fails with 409 `rows_do_not_fit`; with `on_failure=null` these cells are emptied, and `dry_run` reports them. To change its name or type, use the operations for that.',
  tag,
  permission: 'tables_edit',
  params: schema.columnParams,
  query: schema.failureQuery,
  body: schema.columnPatch,
  example: { label: 'Full name', indexed: true },
  answer: schema.table,
});

export const renameColumn = operation({
  id: 'columns.rename',
  route: tablesRoutes['columns.rename'],
  summary: 'Rename a column',
  description:
    'Renames a column; its cells stay as they are. The request fails with 409 `column_exists` when the table has a column of that name. Queries and workflows that use the old name have to be changed by hand.',
  tag,
  permission: 'tables_edit',
  params: schema.columnParams,
  query: schema.dryRunQuery,
  body: schema.columnRename,
  example: { new_name: 'full_name' },
  answer: schema.table,
});

export const changeColumnType = operation({
  id: 'columns.changeType',
  route: tablesRoutes['columns.changeType'],
  summary: 'Change the type of a column',
  description:
    'Converts the cells of a column to another type. When values do not fit, the request fails with 409 `rows_do_not_fit` and names examples; with `on_failure=null` these cells are emptied. Use `dry_run` to see how many rows would fail.',
  tag,
  permission: 'tables_edit',
  params: schema.columnParams,
  query: schema.failureQuery,
  body: schema.columnRetype,
  example: { new_type: 'integer' },
  answer: schema.table,
});

export const dropColumn = operation({
  id: 'columns.drop',
  route: tablesRoutes['columns.drop'],
  summary: 'Drop a column',
  description:
    'Hides a column from reads and writes; it can be restored for seven days and is then removed with its cells.',
  tag,
  permission: 'tables_delete',
  params: schema.columnParams,
  query: schema.dryRunQuery,
  answer: schema.table,
});

export const restoreColumn = operation({
  id: 'columns.restore',
  route: tablesRoutes['columns.restore'],
  summary: 'Restore a dropped column',
  description:
    'Brings back the column of this name that was dropped last, with its cells. The request fails with 409 `column_exists` when the table has another column of that name by now.',
  tag,
  permission: 'tables_edit',
  params: schema.columnParams,
  query: schema.failureQuery,
  answer: schema.table,
});

export const columnOperations = [addColumn, updateColumn, renameColumn, changeColumnType, dropColumn, restoreColumn];
