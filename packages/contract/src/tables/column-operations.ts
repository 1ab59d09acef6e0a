import { operation } from '../operation.ts';
import { tablesRoutes } from './routes.ts';
import * as schema from './schema.ts';

const tag = 'Tables';

export const addColumn = operation({
  id: 'columns.add',
  route: tablesRoutes['columns.add'],
  summary: 'Add a column',
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
  summary: 'Change the label, default or index of a column',
  tag,
  permission: 'tables_edit',
  params: schema.columnParams,
  query: schema.dryRunQuery,
  body: schema.columnPatch,
  example: { label: 'Full name', indexed: true },
  answer: schema.table,
});

export const renameColumn = operation({
  id: 'columns.rename',
  route: tablesRoutes['columns.rename'],
  summary: 'Rename a column',
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
  summary: 'Drop a column; it can be restored for seven days',
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
  tag,
  permission: 'tables_edit',
  params: schema.columnParams,
  query: schema.failureQuery,
  answer: schema.table,
});

export const columnOperations = [addColumn, updateColumn, renameColumn, changeColumnType, dropColumn, restoreColumn];
