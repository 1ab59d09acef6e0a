import { defineRoute, type Route } from '../../lib/route.ts';
import type { Columns } from './columns.ts';
import * as schema from './schema.ts';

const tag = 'Tables';

export const columnRoutes = (columns: Columns): Route[] => [
  defineRoute({
    route: 'POST /v1/tables/{table_id}/columns',
    summary: 'Add a column',
    tag,
    permission: 'tables_edit',
    params: schema.tableParams,
    query: schema.dryRunQuery,
    body: schema.columnCreate,
    example: { name: 'shipped_on', type: 'date', label: 'Shipped on' },
    answer: schema.table,
    handler: (scope, { params, query, body }) => columns.add(scope, params.table_id, body, query),
  }),
  defineRoute({
    route: 'PATCH /v1/tables/{table_id}/columns/{name}',
    summary: 'Change the label, default or index of a column',
    tag,
    permission: 'tables_edit',
    params: schema.columnParams,
    query: schema.dryRunQuery,
    body: schema.columnPatch,
    example: { label: 'Full name', indexed: true },
    answer: schema.table,
    handler: (scope, { params, query, body }) => columns.patch(scope, params.table_id, params.name, body, query),
  }),
  defineRoute({
    route: 'PATCH /v1/tables/{table_id}/columns/{name}/rename',
    summary: 'Rename a column',
    tag,
    permission: 'tables_edit',
    params: schema.columnParams,
    query: schema.dryRunQuery,
    body: schema.columnRename,
    example: { new_name: 'full_name' },
    answer: schema.table,
    handler: (scope, { params, query, body }) =>
      columns.rename(scope, params.table_id, params.name, body.new_name, query),
  }),
  defineRoute({
    route: 'PATCH /v1/tables/{table_id}/columns/{name}/type',
    summary: 'Change the type of a column',
    tag,
    permission: 'tables_edit',
    params: schema.columnParams,
    query: schema.failureQuery,
    body: schema.columnRetype,
    example: { new_type: 'integer' },
    answer: schema.table,
    handler: (scope, { params, query, body }) => columns.retype(scope, params.table_id, params.name, body, query),
  }),
  defineRoute({
    route: 'DELETE /v1/tables/{table_id}/columns/{name}',
    summary: 'Drop a column; it can be restored for seven days',
    tag,
    permission: 'tables_delete',
    params: schema.columnParams,
    query: schema.dryRunQuery,
    answer: schema.table,
    handler: (scope, { params, query }) => columns.drop(scope, params.table_id, params.name, query),
  }),
  defineRoute({
    route: 'POST /v1/tables/{table_id}/columns/{name}/restore',
    summary: 'Restore a dropped column',
    tag,
    permission: 'tables_edit',
    params: schema.columnParams,
    query: schema.failureQuery,
    answer: schema.table,
    handler: (scope, { params, query }) => columns.restore(scope, params.table_id, params.name, query),
  }),
];
