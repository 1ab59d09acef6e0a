import { z } from 'zod';
import * as s from '../../schema/schema.ts';
import { idTypes } from '../types.ts';

const dry_run = s.withDefault(s.bool(), false);
/** `abort`: a line that does not fit is a fault of the request, and nothing is stored. `skip`: the others are. */
const on_error = s.withDefault(s.oneOf(['abort', 'skip']), 'abort');

export const importQuery = s.query({ dry_run, on_error, create_columns: s.withDefault(s.bool(), true) });
export const importNewQuery = s.query({
  dry_run,
  on_error,
  name: s.optional(s.str({ min: 1, max: 200 })),
  id_type: s.withDefault(s.oneOf(idTypes), 'uuid'),
});
export const exportQuery = s.query({
  format: s.withDefault(s.oneOf(['csv']), 'csv'),
  filter: s.optional(s.str({ max: 20_000 })),
  sort: s.optional(s.str({ max: 500 })),
  /** Puts a ' before texts that a spreadsheet would take for a formula. */
  escape_formulas: s.withDefault(s.bool(), false),
});

export const importReport = z
  .strictObject({
    table_id: z.guid(),
    dry_run: z.boolean(),
    lines: z.int(),
    inserted: z.int(),
    skipped: z.int(),
    columns_created: z.array(z.strictObject({ name: z.string(), type: z.string(), label: z.string() })),
    errors: z.array(z.strictObject({ line: z.int(), column: z.string(), message: z.string() })),
  })
  .meta({ id: 'TableImport' });

export type ImportQuery = z.output<typeof importQuery>;
export type ImportNewQuery = z.output<typeof importNewQuery>;
export type ExportQuery = z.output<typeof exportQuery>;
export type ImportReport = z.output<typeof importReport>;
