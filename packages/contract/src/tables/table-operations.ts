import { operation } from '../operation.ts';
import { paged, summaryOf } from '../page.ts';
import { deleted } from '../uses/schema.ts';
import { tablesRoutes } from './routes.ts';
import * as schema from './schema.ts';

const tag = 'Tables';

export const createTable = operation({
  id: 'tables.create',
  route: tablesRoutes['tables.create'],
  summary: 'Create a table',
  description:
    'Creates a table with its columns in one step. Every table has a column `id`, which the server fills when a row gives none; other columns can be added later. The name in SQL (`sql_name`) is made from the name and stays when the table is renamed.',
  tag,
  permission: 'tables_edit',
  body: schema.tableCreate,
  example: {
    name: 'Orders',
    id_type: 'uuid',
    description: 'What was ordered',
    columns: [
      { name: 'customer', type: 'text', label: 'Customer' },
      { name: 'amount', type: 'number', label: 'Amount', default: '0', indexed: true },
    ],
  },
  answer: schema.table,
});

export const listTables = operation({
  id: 'tables.list',
  route: tablesRoutes['tables.list'],
  summary: 'List the tables of the workspace',
  description:
    "Returns the tables of the workspace, newest first, and after them the read-only tables of the platform (conversations, messages, runs, documents, feedback). Callers without the permission `conversations_read` do not see the platform's tables.",
  tag,
  permission: 'tables_read',
  query: schema.tableListQuery,
  answer: paged(
    schema.table,
    summaryOf(schema.table, [
      'id',
      'name',
      'sql_name',
      'description',
      'source',
      'created_at',
      'updated_at',
      'deleted_at',
    ]),
  ),
});

export const getTable = operation({
  id: 'tables.get',
  route: tablesRoutes['tables.get'],
  summary: 'Get a table',
  description: 'Returns a table with its columns, the columns that can still be restored, and the agents that use it.',
  tag,
  permission: 'tables_read',
  params: schema.tableParams,
  answer: schema.table,
});

export const updateTable = operation({
  id: 'tables.update',
  route: tablesRoutes['tables.update'],
  summary: 'Update a table',
  description:
    'Changes the name, the description or `meta` of a table. The columns and the name in SQL stay as they are.',
  tag,
  permission: 'tables_edit',
  params: schema.tableParams,
  body: schema.tablePatch,
  example: { name: 'Orders of this year' },
  answer: schema.table,
});

export const deleteTable = operation({
  id: 'tables.delete',
  route: tablesRoutes['tables.delete'],
  summary: 'Delete a table',
  description:
    'Deletes a table; it can be restored for seven days and is then removed for good. The request fails with 409 `table_is_referenced` while columns of other tables refer to it.',
  tag,
  permission: 'tables_delete',
  params: schema.tableParams,
  answer: deleted,
});

export const restoreTable = operation({
  id: 'tables.restore',
  route: tablesRoutes['tables.restore'],
  summary: 'Restore a deleted table',
  description:
    'Brings back a table that was deleted less than seven days ago, with its rows. It gets another name in SQL when the old one is taken. Rows that refer to rows deleted meanwhile make the request fail with 409 unless `on_failure` is `null`.',
  tag,
  permission: 'tables_edit',
  params: schema.tableParams,
  query: schema.restoreQuery,
  answer: schema.table,
});

export const tableOperations = [createTable, listTables, getTable, updateTable, deleteTable, restoreTable];
