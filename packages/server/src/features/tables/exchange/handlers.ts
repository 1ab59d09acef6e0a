import { createTableFromFile, exportRows, importRows } from '@atrium/contract/tables/exchange/operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { TableExport } from './export-table.ts';
import type { TableImport } from './import-table.ts';

export const tableExchangeRoutes = (parts: { importing: TableImport; exporting: TableExport }): Route[] => [
  handle(createTableFromFile, (scope, { query, files }) => parts.importing.asNew(scope, query, files())),
  handle(importRows, (scope, { params, query, files }) => parts.importing.into(scope, params.table_id, query, files())),
  handle(exportRows, (scope, { params, query }) => parts.exporting.csv(scope, params.table_id, query)),
];
