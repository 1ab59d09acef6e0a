import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import type { KbSettings } from '@atrium/contract/knowledge-bases/settings/keys.ts';
import type { Extracted } from '../../../drivers/extractors/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { SheetTables } from '../ports.ts';
import type { Format } from './read-document.ts';

const mostSheets = 20;

/** Stores the rows of a CSV file or workbook as tables, unless the settings put all rows into the text. */
export async function storeSheets(
  tables: SheetTables,
  scope: Scope,
  origin: { kb_id: string; document_id: string; name: string },
  { settings, format, extracted }: { settings: KbSettings; format: Format; extracted: Extracted },
): Promise<{ table_ids: string[]; notes: string[] }> {
  if (settings.tabular_ingest_all_rows || (format !== 'csv' && format !== 'xlsx')) return { table_ids: [], notes: [] };
  const title = origin.name.replace(/\.[a-z0-9]{1,5}$/i, '');
  const sheets = extracted.tables.slice(0, mostSheets).flatMap(({ name, rows, first_row_is_data }) => {
    const width = Math.max(0, ...rows.map((row) => row.length));
    const titles = Array.from({ length: width }, (_, at) => `column ${at + 1}`);
    const own = {
      name: (name === null ? title : `${title} ${name}`).slice(0, 200),
      rows: first_row_is_data ? [titles, ...rows] : rows,
    };
    return own.rows.length > 1 ? [own] : [];
  });
  const { kb_id, document_id } = origin;
  try {
    const table_ids = await tables.put(scope, { kb_id, document_id }, sheets);
    const named = sheets.map(({ name }) => JSON.stringify(name)).join(', ');
    return { table_ids, notes: table_ids.length ? [`All of its rows are in the table ${named}.`] : [] };
  } catch (error) {
    // The text can be searched without the tables.
    if (error instanceof InvalidRequest)
      return {
        table_ids: [],
        notes: [`No table was made of it: ${error.validationErrors[0]?.msg.replace(/^Value error, /, '')}`],
      };
    if (error instanceof AppError) return { table_ids: [], notes: [`No table was made of it: ${error.message}`] };
    throw error;
  }
}
