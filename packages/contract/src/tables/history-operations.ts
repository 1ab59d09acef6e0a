import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import { success } from '../page.ts';
import * as schema from './history-schema.ts';
import { tablesRoutes } from './routes.ts';
import { rowParams } from './rows-schema.ts';
import { dryRunQuery, tableParams } from './schema.ts';

const tag = 'Tables';
const audit = { none: 'rows are data, not configuration; the change is in the history of the table' } as const;

const readOnly = conflicts('table_is_read_only', "The platform's own tables can only be read.");
const rowsChanged = conflicts(
  'rows_changed',
  'Rows were changed since; nothing was done. `count` says how many, `rows` names up to 100 of them.',
);
const referenced = conflicts(
  'row_is_referenced',
  'Rows of other tables refer to a row, or one refers to a row that is gone.',
);
const unfit = conflicts('rows_do_not_fit', 'Former cells do not fit the columns as they are now.');

export const changeRows = operation({
  id: 'rows.bulk',
  route: tablesRoutes['rows.bulk'],
  summary: 'Change or delete many rows',
  description:
    'Sets cells of many rows, or deletes them, in one transaction: those with the given ids, or those that meet a filter. At most 10,000 rows; if more match, the request fails with 409 `too_many_rows`. `dry_run` counts the rows and changes nothing. One change in the history, which can be undone. To set different cells in each row, use the upsert by `id`.',
  tag,
  permission: 'tables_edit',
  audit,
  params: tableParams,
  query: dryRunQuery,
  body: schema.rowsBulk,
  body_limit: 4 * 1024 * 1024,
  example: { action: 'delete', filter: [{ column: 'name', op: 'starts_with', value: 'Test' }] },
  answer: schema.rowsBulkAnswer,
  errors: [
    noSuch('table'),
    readOnly,
    rowsChanged,
    referenced,
    conflicts('too_many_rows', 'More than 10,000 rows match.'),
    conflicts('text_too_long', 'A text is too long for a column that is indexed.'),
  ],
});

export const restoreRows = operation({
  id: 'rows.restore',
  route: tablesRoutes['rows.restore'],
  summary: 'Restore deleted rows',
  description:
    'Brings back rows as they were when they were deleted, with their ids, as long as the history has them. Rows of other tables that were deleted with them come back when the deletion is undone instead. Ids whose last change was no deletion are answered in `missing`.',
  tag,
  permission: 'tables_edit',
  audit,
  params: tableParams,
  query: dryRunQuery,
  body: schema.rowsRestore,
  example: { ids: ['01900000-0000-7000-8000-000000000000'] },
  answer: schema.reversal,
  errors: [noSuch('table'), readOnly, rowsChanged, referenced, unfit],
});

export const getRowHistory = operation({
  id: 'rows.history',
  route: tablesRoutes['rows.history'],
  summary: 'Get the history of a row',
  description:
    'Returns who changed a row and when, with the cells before and after, newest first; also of a row that was deleted. The history goes back 90 days at most. Columns are named as they are called now; cells of dropped columns are left out.',
  tag,
  permission: 'tables_read',
  params: rowParams,
  query: schema.historyQuery,
  answer: schema.rowHistory,
});

export const forgetRowHistory = operation({
  id: 'rows.forgetHistory',
  route: tablesRoutes['rows.forgetHistory'],
  summary: 'Erase the history of a row',
  description:
    'Removes all that the history has of a row, for instance of a deleted one that was about a person. The row itself stays as it is. It can not be restored afterwards, and changes that it was a part of can not be undone.',
  tag,
  permission: 'tables_delete',
  params: rowParams,
  answer: success,
});

export const listTableChanges = operation({
  id: 'tableChanges.list',
  route: tablesRoutes['tableChanges.list'],
  summary: 'List the changes of rows',
  description:
    'Returns the writes to the rows of a table, newest first: what was done, to how many rows, by whom and when. A write of many rows is one change. The history goes back 90 days and a million rows at most.',
  tag,
  permission: 'tables_read',
  params: tableParams,
  query: schema.changeListQuery,
  answer: schema.tableChangePage,
});

export const getTableChange = operation({
  id: 'tableChanges.get',
  route: tablesRoutes['tableChanges.get'],
  summary: 'Get a change of rows',
  description: 'Returns a change with its first 100 rows and their cells before and after.',
  tag,
  permission: 'tables_read',
  params: schema.changeParams,
  answer: schema.tableChangeWithRows,
});

export const undoTableChange = operation({
  id: 'tableChanges.undo',
  route: tablesRoutes['tableChanges.undo'],
  summary: 'Undo a change of rows',
  description:
    'Takes a change back in one transaction: created rows are deleted, changed cells get their former values, deleted rows come back with their ids, and so do rows of other tables that were deleted with them. If what the change made was changed since, nothing is done and the answer is 409 `rows_changed`. Undoing is a change itself, and undoing that does the change again. `dry_run` checks and counts.',
  tag,
  permission: 'tables_edit',
  audit,
  params: schema.changeParams,
  query: dryRunQuery,
  answer: schema.reversal,
  errors: [
    noSuch('change'),
    readOnly,
    rowsChanged,
    referenced,
    unfit,
    conflicts('rows_not_kept', 'The history does not have the rows of this change.'),
  ],
});

export const historyOperations = [
  changeRows,
  restoreRows,
  getRowHistory,
  forgetRowHistory,
  listTableChanges,
  getTableChange,
  undoTableChange,
];
