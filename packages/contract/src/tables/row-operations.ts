import { z } from 'zod';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { tablesRoutes } from './routes.ts';
import * as rowSchema from './rows-schema.ts';
import { tableParams } from './schema.ts';

const tag = 'Tables';

/** Ten thousand rows are more than other bodies hold. */
const rowsLimit = 32 * 1024 * 1024;

export const listRows = operation({
  id: 'rows.list',
  route: tablesRoutes['rows.list'],
  summary: 'List rows: filtered, sorted, page by page',
  tag,
  permission: 'tables_read',
  params: tableParams,
  query: rowSchema.rowListQuery,
  answer: rowSchema.rowPage,
});

export const insertRows = operation({
  id: 'rows.insert',
  route: tablesRoutes['rows.insert'],
  summary: 'Insert one row, or many at once',
  tag,
  permission: 'tables_edit',
  params: tableParams,
  body: rowSchema.rowsBody,
  body_limit: rowsLimit,
  example: { name: 'Ada' },
  answer: z.union([rowSchema.inserted, rowSchema.row]),
});

export const upsertRows = operation({
  id: 'rows.upsert',
  route: tablesRoutes['rows.upsert'],
  summary: 'Update the rows that are there by a key, and insert the others',
  tag,
  permission: 'tables_edit',
  params: tableParams,
  body: rowSchema.rowsUpsert,
  body_limit: rowsLimit,
  example: { on: 'name', rows: [{ name: 'Ada' }] },
  answer: rowSchema.upserted,
});

export const getRow = operation({
  id: 'rows.get',
  route: tablesRoutes['rows.get'],
  summary: 'Get a row',
  tag,
  permission: 'tables_read',
  params: rowSchema.rowParams,
  answer: rowSchema.row,
});

export const updateRow = operation({
  id: 'rows.update',
  route: tablesRoutes['rows.update'],
  summary: 'Change cells of a row; null empties one',
  tag,
  permission: 'tables_edit',
  params: rowSchema.rowParams,
  body: rowSchema.rowBody,
  example: { name: 'Ada Lovelace' },
  answer: rowSchema.row,
});

export const deleteRow = operation({
  id: 'rows.delete',
  route: tablesRoutes['rows.delete'],
  summary: 'Delete a row',
  tag,
  permission: 'tables_edit',
  params: rowSchema.rowParams,
  answer: success,
});

export const rowOperations = [listRows, insertRows, upsertRows, getRow, updateRow, deleteRow];
