import * as z from 'zod';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { tablesRoutes } from './routes.ts';
import * as rowSchema from './rows-schema.ts';
import { tableParams } from './schema.ts';

const tag = 'Tables';

/** In bytes: ten thousand rows need more than the general limit of a body. */
const rowsLimit = 32 * 1024 * 1024;

export const listRows = operation({
  id: 'rows.list',
  route: tablesRoutes['rows.list'],
  summary: 'List the rows of a table',
  description:
    'Returns rows that match all filters, sorted by up to three columns. The list is paged by a cursor instead of page numbers, because counting and skipping is slow in large tables: send `next_cursor` of the last answer as `cursor`, with the same `sort`. `offset` jumps to a place of the list.',
  tag,
  permission: 'tables_read',
  params: tableParams,
  query: rowSchema.rowListQuery,
  answer: rowSchema.rowPage,
});

export const totalRows = operation({
  id: 'rows.totals',
  route: tablesRoutes['rows.totals'],
  summary: 'Compute sums over rows',
  description:
    'Returns how many rows match the filters and the search, and for each column asked for how many values there are, their sum, average, smallest and largest, all in one request and of one moment.',
  tag,
  permission: 'tables_read',
  params: tableParams,
  query: rowSchema.rowTotalsQuery,
  answer: rowSchema.rowTotals,
});

export const insertRows = operation({
  id: 'rows.insert',
  route: tablesRoutes['rows.insert'],
  summary: 'Insert one row or many',
  description:
    'Inserts the row in the body, or all rows of a list of up to 10,000 (all or none). The answer is the stored row for one row, and the count with the ids for a list. Webhooks and triggers of the event `row.created` are called once for the request.',
  tag,
  permission: 'tables_edit',
  audit: { none: 'rows are data, not configuration' },
  params: tableParams,
  body: rowSchema.rowsBody,
  body_limit: rowsLimit,
  example: { name: 'Ada' },
  answer: z.union([rowSchema.inserted, rowSchema.row]),
});

export const upsertRows = operation({
  id: 'rows.upsert',
  route: tablesRoutes['rows.upsert'],
  summary: 'Update or insert rows by a key',
  description:
    'Updates the rows whose key column has the given value and inserts the others, in one transaction. Each row needs a value for the key, and no two rows may have the same. Upserts of one table run one after another.',
  tag,
  permission: 'tables_edit',
  audit: { none: 'rows are data, not configuration' },
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
  description:
    'Returns one row by its id, with the values of all columns. The header `ETag` has its version, which `If-Match` takes. To find rows by their values, use the list with filters.',
  tag,
  permission: 'tables_read',
  params: rowSchema.rowParams,
  answer: rowSchema.row,
});

export const updateRow = operation({
  id: 'rows.update',
  route: tablesRoutes['rows.update'],
  summary: 'Update a row',
  description: 'Changes the given cells of a row and keeps the others; null empties a cell. The id cannot be changed.',
  tag,
  permission: 'tables_edit',
  audit: { none: 'rows are data, not configuration' },
  params: rowSchema.rowParams,
  body: rowSchema.rowBody,
  example: { name: 'Ada Lovelace' },
  answer: rowSchema.row,
});

export const deleteRow = operation({
  id: 'rows.delete',
  route: tablesRoutes['rows.delete'],
  summary: 'Delete a row',
  description:
    'Deletes one row. Rows of other tables that refer to it are deleted, emptied in that column, or make the request fail with 409, by the `on_delete` rule of their column.',
  tag,
  permission: 'tables_edit',
  audit: { none: 'rows are data, not configuration' },
  params: rowSchema.rowParams,
  answer: success,
});

export const rowOperations = [listRows, totalRows, insertRows, upsertRows, getRow, updateRow, deleteRow];
