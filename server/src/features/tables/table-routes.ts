import { done, paged, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import * as schema from './schema.ts';
import type { Tables } from './service.ts';

const tag = 'Tables';

export const tableRoutes = (tables: Tables): Route[] => [
  defineRoute({
    route: 'POST /v1/tables',
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
    handler: (scope, { body }) => tables.create(scope, body),
  }),
  defineRoute({
    route: 'GET /v1/tables',
    summary: 'List the tables of the workspace',
    tag,
    permission: 'tables_read',
    query: schema.tableListQuery,
    answer: paged(schema.table),
    handler: (scope, { query }) => tables.list(scope, query),
  }),
  defineRoute({
    route: 'GET /v1/tables/{table_id}',
    summary: 'Get a table',
    tag,
    permission: 'tables_read',
    params: schema.tableParams,
    answer: schema.table,
    handler: (scope, { params }) => tables.get(scope, params.table_id),
  }),
  defineRoute({
    route: 'PATCH /v1/tables/{table_id}',
    summary: 'Rename or describe a table',
    tag,
    permission: 'tables_edit',
    params: schema.tableParams,
    body: schema.tablePatch,
    example: { name: 'Orders of this year' },
    answer: schema.table,
    handler: (scope, { params, body }) => tables.update(scope, params.table_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/tables/{table_id}',
    summary: 'Delete a table; it can be restored for seven days',
    tag,
    permission: 'tables_delete',
    params: schema.tableParams,
    answer: success,
    handler: async (scope, { params }) => {
      await tables.remove(scope, params.table_id);
      return done;
    },
  }),
  defineRoute({
    route: 'POST /v1/tables/{table_id}/restore',
    summary: 'Restore a deleted table',
    tag,
    permission: 'tables_edit',
    params: schema.tableParams,
    query: schema.restoreQuery,
    answer: schema.table,
    handler: (scope, { params, query }) => tables.restore(scope, params.table_id, query),
  }),
];
