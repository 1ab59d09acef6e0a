import { z } from 'zod';
import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { Rows } from './row-service.ts';
import * as rowSchema from './rows-schema.ts';
import { tableParams } from './schema.ts';

const tag = 'Tables';

/** Ten thousand rows are more than other bodies hold. */
const rowsLimit = 32 * 1024 * 1024;

export const rowRoutes = (rows: Rows): Route[] => [
  defineRoute({
    route: 'GET /v1/tables/{table_id}/rows',
    summary: 'List rows: filtered, sorted, page by page',
    tag,
    permission: 'tables_read',
    params: tableParams,
    query: rowSchema.rowListQuery,
    answer: rowSchema.rowPage,
    handler: (scope, { params, query }) => rows.list(scope, params.table_id, query),
  }),
  defineRoute({
    route: 'POST /v1/tables/{table_id}/rows',
    summary: 'Insert one row, or many at once',
    tag,
    permission: 'tables_edit',
    params: tableParams,
    body: rowSchema.rowsBody,
    body_limit: rowsLimit,
    example: { name: 'Ada' },
    answer: z.union([rowSchema.inserted, rowSchema.row]),
    handler: async (scope, { params, body }): Promise<Awaited<ReturnType<Rows['insert' | 'insertMany']>>> =>
      Array.isArray(body) ? rows.insertMany(scope, params.table_id, body) : rows.insert(scope, params.table_id, body),
  }),
  defineRoute({
    route: 'PUT /v1/tables/{table_id}/rows',
    summary: 'Update the rows that are there by a key, and insert the others',
    tag,
    permission: 'tables_edit',
    params: tableParams,
    body: rowSchema.rowsUpsert,
    body_limit: rowsLimit,
    example: { on: 'name', rows: [{ name: 'Ada' }] },
    answer: rowSchema.upserted,
    handler: (scope, { params, body }) => rows.upsert(scope, params.table_id, body),
  }),
  defineRoute({
    route: 'GET /v1/tables/{table_id}/rows/{row_id}',
    summary: 'Get a row',
    tag,
    permission: 'tables_read',
    params: rowSchema.rowParams,
    answer: rowSchema.row,
    handler: (scope, { params }) => rows.get(scope, params.table_id, params.row_id),
  }),
  defineRoute({
    route: 'PATCH /v1/tables/{table_id}/rows/{row_id}',
    summary: 'Change cells of a row; null empties one',
    tag,
    permission: 'tables_edit',
    params: rowSchema.rowParams,
    body: rowSchema.rowBody,
    example: { name: 'Ada Lovelace' },
    answer: rowSchema.row,
    handler: (scope, { params, body }) => rows.update(scope, params.table_id, params.row_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/tables/{table_id}/rows/{row_id}',
    summary: 'Delete a row',
    tag,
    permission: 'tables_edit',
    params: rowSchema.rowParams,
    answer: success,
    handler: async (scope, { params }) => {
      await rows.remove(scope, params.table_id, params.row_id);
      return done;
    },
  }),
];
