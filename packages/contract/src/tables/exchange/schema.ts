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

export const importQuery = s.query({
  dry_run,
  on_error,
  encoding,
  create_columns: s
    .withDefault(s.bool(), true)
    .describe('Create the columns that the table does not have; if false, such a column fails the request.'),
});
export const importNewQuery = s.query({
  dry_run,
  on_error,
  encoding,
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
    .withDefault(s.bool(), false)
    .describe("Put a ' before texts that a spreadsheet would run as a formula."),
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
  })
  .meta({ id: 'TableImport' });

export type ImportQuery = z.output<typeof importQuery>;
export type ImportNewQuery = z.output<typeof importNewQuery>;
export type ExportQuery = z.output<typeof exportQuery>;
export type ImportReport = z.output<typeof importReport>;
