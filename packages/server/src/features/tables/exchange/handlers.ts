import { createTableFromFile, exportRows, importRows } from '@atrium/contract/tables/exchange/operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { TableExport } from './export-table.ts';
import type { TableImport } from './import-table.ts';

export const tableExchangeRoutes = (parts: { importing: TableImport; exporting: TableExport }): Route[] => [
  handle(createTableFromFile, (scope, { query, files, fields }) =>
    parts.importing.asNew(scope, query, files(), fields),
  ),
  handle(importRows, (scope, { params, query, files, fields }) =>
    parts.importing.into(scope, params.table_id, query, files(), fields),
  ),
  handle(exportRows, (scope, { params, query }) => parts.exporting.csv(scope, params.table_id, query)),
];
