import { done } from '@atrium/contract/page.ts';
import {
  createTable,
  deleteTable,
  getTable,
  listTables,
  restoreTable,
  updateTable,
} from '@atrium/contract/tables/table-operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Tables } from './service.ts';

export const tableRoutes = (tables: Tables): Route[] => [
  handle(createTable, (scope, { body }) => tables.create(scope, body)),
  handle(listTables, (scope, { query }) => tables.list(scope, query)),
  handle(getTable, (scope, { params }) => tables.get(scope, params.table_id)),
  handle(updateTable, (scope, { params, body }) => tables.update(scope, params.table_id, body)),
  handle(deleteTable, async (scope, { params }) => {
    await tables.remove(scope, params.table_id);
    return done;
  }),
  handle(restoreTable, (scope, { params, query }) => tables.restore(scope, params.table_id, query)),
];
