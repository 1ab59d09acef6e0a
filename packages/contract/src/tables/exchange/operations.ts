import { z } from 'zod';
import { operation } from '../../operation.ts';
import { tableParams } from '../schema.ts';
import { exchangeRoutes } from './routes.ts';
import { exportQuery, importNewQuery, importQuery, importReport } from './schema.ts';

const tag = 'Tables';

export const createTableFromFile = operation({
  id: 'tables.createFromFile',
  route: exchangeRoutes['tables.createFromFile'],
  summary: 'Make a table of a CSV or XLSX file',
  tag,
  permission: 'tables_edit',
  query: importNewQuery,
  upload: { field: 'file' },
  answer: importReport,
});

export const importRows = operation({
  id: 'tables.import',
  route: exchangeRoutes['tables.import'],
  summary: 'Import a CSV or XLSX file into a table',
  tag,
  permission: 'tables_edit',
  params: tableParams,
  query: importQuery,
  upload: { field: 'file' },
  answer: importReport,
});

export const exportRows = operation({
  id: 'tables.export',
  route: exchangeRoutes['tables.export'],
  summary: 'Export the rows of a table as CSV',
  tag,
  permission: 'tables_read',
  params: tableParams,
  query: exportQuery,
  content_type: 'text/csv',
  answer: z.unknown(),
});

export const tableExchangeOperations = [createTableFromFile, importRows, exportRows];
