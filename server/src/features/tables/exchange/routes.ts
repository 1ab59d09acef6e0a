import { z } from 'zod';
import { defineRoute, type Route } from '../../../lib/route.ts';
import { tableParams } from '../schema.ts';
import type { TableExport } from './export.ts';
import type { TableImport } from './import.ts';
import { exportQuery, importNewQuery, importQuery, importReport } from './schema.ts';

const tag = 'Tables';

export const tableExchangeRoutes = (parts: { importing: TableImport; exporting: TableExport }): Route[] => [
  defineRoute({
    route: 'POST /v1/tables/import',
    summary: 'Make a table of a CSV or XLSX file',
    tag,
    permission: 'tables_edit',
    query: importNewQuery,
    upload: { field: 'file' },
    answer: importReport,
    handler: (scope, { query, files }) => parts.importing.asNew(scope, query, files()),
  }),
  defineRoute({
    route: 'POST /v1/tables/{table_id}/import',
    summary: 'Import a CSV or XLSX file into a table',
    tag,
    permission: 'tables_edit',
    params: tableParams,
    query: importQuery,
    upload: { field: 'file' },
    answer: importReport,
    handler: (scope, { params, query, files }) => parts.importing.into(scope, params.table_id, query, files()),
  }),
  defineRoute({
    route: 'GET /v1/tables/{table_id}/export',
    summary: 'Export the rows of a table as CSV',
    tag,
    permission: 'tables_read',
    params: tableParams,
    query: exportQuery,
    content_type: 'text/csv',
    answer: z.unknown(),
    handler: (scope, { params, query }) => parts.exporting.csv(scope, params.table_id, query),
  }),
];
