import {
  addColumn,
  changeColumnType,
  dropColumn,
  renameColumn,
  restoreColumn,
  updateColumn,
} from '@atrium/contract/tables/column-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Columns } from './columns.ts';

export const columnRoutes = (columns: Columns): Route[] => [
  handle(addColumn, (scope, { params, query, body }) => columns.add(scope, params.table_id, body, query)),
  handle(updateColumn, (scope, { params, query, body }) =>
    columns.patch(scope, params.table_id, params.name, body, query),
  ),
  handle(renameColumn, (scope, { params, query, body }) =>
    columns.rename(scope, params.table_id, params.name, body.new_name, query),
  ),
  handle(changeColumnType, (scope, { params, query, body }) =>
    columns.retype(scope, params.table_id, params.name, body, query),
  ),
  handle(dropColumn, (scope, { params, query }) => columns.drop(scope, params.table_id, params.name, query)),
  handle(restoreColumn, (scope, { params, query }) => columns.restore(scope, params.table_id, params.name, query)),
];
