import { done } from '@atrium/contract/page.ts';
import {
  changeRows,
  forgetRowHistory,
  getRowHistory,
  getTableChange,
  listTableChanges,
  restoreRows,
  undoTableChange,
} from '@atrium/contract/tables/history-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { ChangeRows } from '../rows/bulk-rows.ts';
import type { TableHistory } from './history-service.ts';

export const historyRoutes = (history: TableHistory, change: ChangeRows): Route[] => [
  handle(changeRows, (scope, { params, query, body }) => change(scope, params.table_id, body, query)),
  handle(restoreRows, (scope, { params, query, body }) => history.restore(scope, params.table_id, body.ids, query)),
  handle(getRowHistory, (scope, { params, query }) => history.ofRow(scope, params.table_id, params.row_id, query)),
  handle(forgetRowHistory, async (scope, { params }) => {
    await history.forgetRow(scope, params.table_id, params.row_id);
    return done;
  }),
  handle(listTableChanges, (scope, { params, query }) => history.list(scope, params.table_id, query)),
  handle(getTableChange, (scope, { params }) => history.get(scope, params.table_id, params.change_id)),
  handle(undoTableChange, (scope, { params, query }) => history.undo(scope, params.table_id, params.change_id, query)),
];
