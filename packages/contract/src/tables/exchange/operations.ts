import * as z from 'zod';
import { operation } from '../../operation.ts';
import { tableParams } from '../schema.ts';
import { exchangeRoutes } from './routes.ts';
import { exportQuery, importNewQuery, importQuery, importReport } from './schema.ts';

const tag = 'Tables';

const upload = {
  field: 'file',
  description: 'The CSV or XLSX file; its first line holds the names of the columns.',
  fields: { format: 'How numbers and dates are written, as the query parameter `format`.' },
};

export const createTableFromFile = operation({
  id: 'tables.createFromFile',
  route: exchangeRoutes['tables.createFromFile'],
  summary: 'Create a table from a CSV or XLSX file',
  description:
    'Creates a table from the first line (column names) and the other lines (rows) of a file, up to 1,000,000 lines. Column types are guessed from the cells; `format` says how numbers and dates are written in other countries. Everything is stored in one transaction, or nothing.',
  tag,
  permission: 'tables_edit',
  query: importNewQuery,
  upload,
  answer: importReport,
});

export const importRows = operation({
  id: 'tables.import',
  route: exchangeRoutes['tables.import'],
  summary: 'Import a CSV or XLSX file into a table',
  description:
    'Adds the lines of a file as rows. Titles are matched with the names and labels of the columns; columns that the table does not have are created unless `create_columns` is false. `format` says how numbers and dates are written. Use `dry_run` to see what would happen: `preview` shows how values were read.',
  tag,
  permission: 'tables_edit',
  params: tableParams,
  query: importQuery,
  upload,
  answer: importReport,
});

export const exportRows = operation({
  id: 'tables.export',
  route: exchangeRoutes['tables.export'],
  summary: 'Export the rows of a table as CSV',
  description:
    'Streams the rows that match the filters as a CSV file with the column names in the first line. Texts that a spreadsheet would run as formulas get an apostrophe in front, which an import takes away again; set `escape_formulas` to false for programs that read the texts themselves.',
  tag,
  permission: 'tables_read',
  params: tableParams,
  query: exportQuery,
  content_type: 'text/csv',
  answer: z.unknown(),
});

export const tableExchangeOperations = [createTableFromFile, importRows, exportRows];
