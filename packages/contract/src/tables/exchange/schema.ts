import * as z from 'zod';
import * as s from '../../schema/schema.ts';
import { idTypes } from '../types.ts';

const dry_run = s
  .withDefault(s.bool(), false)
  .describe('Read the file and report what would be stored, without storing anything.');
const on_error = s
  .withDefault(s.oneOf(['abort', 'skip']), 'abort')
  .describe(
    '`abort`: a line that does not fit fails the request and nothing is stored. `skip`: the other lines are stored.',
  );

const encoding = s
  .optional(s.str({ min: 1, max: 40 }))
  .describe(
    'The character encoding of a CSV file by its usual name, such as `utf-8`, `latin1` or `cp1252`; detected unless given.',
  );

/** How numbers and dates are written in a file; keys that are given win over those of the locale. */
export const importFormat = s
  .object({
    locale: s
      .optional(s.str({ min: 1, max: 40 }))
      .describe('The name of a locale, such as `de-DE`, whose signs are used.'),
    decimal: s.optional(s.oneOf([',', '.'])).describe('The sign before the decimals; `.` unless given.'),
    thousands: s.optional(s.oneOf(['', ',', '.', ' ', "'"])).describe('The sign between thousands; none unless given.'),
    date: s
      .optional(s.str({ min: 3, max: 40 }))
      .describe('The order and the signs of a date, such as `DD.MM.YYYY` or `MM/DD/YY`; `YYYY-MM-DD` is always read.'),
  })
  .meta({ id: 'TableImportFormat' });
export type ImportFormat = z.output<typeof importFormat>;

const format = s
  .optional(s.str({ min: 1, max: 500 }))
  .describe(
    'How numbers and dates are written: the name of a locale (`de-DE`: `1.234,50`, `31.12.2025`), or JSON such as `{"decimal":",","thousands":".","date":"DD.MM.YYYY"}`. The form field `format` wins over it. Cells of a workbook that are numbers or dates themselves are read as they are.',
  );

const unescape_formulas = s
  .withDefault(s.bool(), true)
  .describe(
    "Take away the ' that exports put before texts that look like formulas, and keep such cells as texts when types are guessed. If false, texts of a CSV file are stored as they are written.",
  );

const types = s
  .optional(s.str({ min: 2, max: 20_000 }))
  .describe(
    'Types of new columns by their names, as JSON such as `{"amount":"number"}`, instead of the guessed ones. Values that are not of the type are errors with their lines.',
  );

export const importQuery = s.query({
  dry_run,
  on_error,
  encoding,
  format,
  types,
  unescape_formulas,
  create_columns: s
    .withDefault(s.bool(), true)
    .describe('Create the columns that the table does not have; if false, such a column fails the request.'),
});
export const importNewQuery = s.query({
  dry_run,
  on_error,
  encoding,
  format,
  types,
  unescape_formulas,
  name: s.optional(s.str({ min: 1, max: 200 })).describe('The name of the table; the name of the file unless given.'),
  id_type: s
    .withDefault(s.oneOf(idTypes), 'uuid')
    .describe('Whether the ids of rows are UUIDs or numbers counted up from 1.'),
});
export const exportQuery = s.query({
  format: s.withDefault(s.oneOf(['csv']), 'csv').describe('The format of the file; only `csv`.'),
  filter: s
    .optional(s.str({ max: 20_000 }))
    .describe('Filters as JSON text, as in the list of rows; all rows unless given.'),
  sort: s.optional(s.str({ max: 500 })).describe('Up to three columns, such as `-amount,name`; by id unless given.'),
  escape_formulas: s
    .withDefault(s.bool(), true)
    .describe(
      "Put a ' before texts that a spreadsheet would run as a formula (they begin with `=`, `+`, `-`, `@`, a tab or a carriage return). Numbers stay as they are; an import takes the ' away again.",
    ),
});

export const importReport = z
  .strictObject({
    table_id: z
      .guid()
      .describe('The table that the rows went into; of a dry run of a new table, an id that is not kept.'),
    dry_run: z.boolean().describe('Whether this is a dry run, which stores nothing.'),
    lines: z.int().describe('How many lines the file has below the titles.'),
    inserted: z.int().describe('How many rows were inserted.'),
    skipped: z.int().describe('How many lines did not fit.'),
    columns_created: z
      .array(
        z.strictObject({
          name: z.string().describe('The name of the new column.'),
          type: z.string().describe('The type that was guessed from its cells.'),
          label: z.string().describe('The title in the file.'),
        }),
      )
      .describe('The columns that were created.'),
    errors: z
      .array(
        z.strictObject({
          line: z.int().describe('The line of the file; the titles are line 1.'),
          column: z.string().describe('The column of the value that does not fit; may be empty.'),
          message: z.string().describe('What is wrong with the value.'),
        }),
      )
      .describe('Values that did not fit; at most 1,000.'),
    warnings: z
      .array(
        z.strictObject({
          column: z.string().describe('The new column.'),
          message: z.string().describe('Why its values may mean something else, and what to send.'),
        }),
      )
      .describe('New columns whose values are written as in several countries, such as `03/04/2025` or `1.234`.'),
    preview: z
      .array(
        z.strictObject({
          line: z.int().describe('The line of the file.'),
          values: z.record(z.string(), z.unknown()).describe('The values by column, as they were read.'),
        }),
      )
      .describe('The first five lines that fit, to see how values were read.'),
  })
  .meta({ id: 'TableImport' });

export type ImportQuery = z.output<typeof importQuery>;
export type ImportNewQuery = z.output<typeof importNewQuery>;
export type ExportQuery = z.output<typeof exportQuery>;
export type ImportReport = z.output<typeof importReport>;
