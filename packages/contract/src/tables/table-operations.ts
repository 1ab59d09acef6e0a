import { operation } from '../operation.ts';
import { paged, success } from '../page.ts';
import { tablesRoutes } from './routes.ts';
import * as schema from './schema.ts';

const tag = 'Tables';

export const createTable = operation({
  id: 'tables.create',
  route: tablesRoutes['tables.create'],
  summary: 'Create a table',
  tag,
  permission: 'tables_edit',
  body: schema.tableCreate,
  example: {
    name: 'Orders',
    id_type: 'uuid',
    description: 'What was ordered',
    columns: [
      {
        name: 'customer_id',
        type: 'reference',
        references: '018f0000-0000-7000-8000-000000000000',
        on_delete: 'restrict',
      },
      { name: 'amount', type: 'number', label: 'Amount', default: '0', indexed: true },
    ],
  },
  answer: schema.table,
});

export const listTables = operation({
  id: 'tables.list',
  route: tablesRoutes['tables.list'],
  summary: 'List the tables of the workspace',
  tag,
  permission: 'tables_read',
  query: schema.tableListQuery,
  answer: paged(schema.table),
});

export const getTable = operation({
  id: 'tables.get',
  route: tablesRoutes['tables.get'],
  summary: 'Get a table',
  tag,
  permission: 'tables_read',
  params: schema.tableParams,
  answer: schema.table,
});

export const updateTable = operation({
  id: 'tables.update',
  route: tablesRoutes['tables.update'],
  summary: 'Rename or describe a table',
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
  summary: 'Delete a table; it can be restored for seven days',
  tag,
  permission: 'tables_delete',
  params: schema.tableParams,
  answer: success,
});

export const restoreTable = operation({
  id: 'tables.restore',
  route: tablesRoutes['tables.restore'],
  summary: 'Restore a deleted table',
  tag,
  permission: 'tables_edit',
  params: schema.tableParams,
  query: schema.restoreQuery,
  answer: schema.table,
});

export const tableOperations = [createTable, listTables, getTable, updateTable, deleteTable, restoreTable];
