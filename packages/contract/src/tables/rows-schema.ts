import * as z from 'zod';
import { actorField } from '../actor.ts';
import { refuse, scalar } from '../schema/scalar.ts';
import * as s from '../schema/schema.ts';
import { filterOperators } from './schema.ts';

export const mostRows = 10_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The columns depend on the table, so the service checks them. */
export const row = z
  .looseObject({ id: z.union([z.string(), z.int()]).describe('The id of the row: a UUID or a number, by the table.') })
  .meta({ id: 'TableRow', description: 'A row: one key for each column of the table, null where the cell is empty.' });

const rowJson = { type: 'object', additionalProperties: true };
const notRow = refuse('dict_type', 'Input should be a valid dictionary');

/** One row or many. Checked by hand: parsing ten thousand rows by a schema would cost more than storing them. */
export const rowsBody = scalar<Record<string, unknown> | Record<string, unknown>[]>(
  { anyOf: [rowJson, { type: 'array', items: rowJson, maxItems: mostRows }] },
  (input) => {
    if (!Array.isArray(input)) return isObject(input) ? input : notRow;
    if (input.length > mostRows)
      return refuse('too_long', `List should have at most ${mostRows} items after validation, not ${input.length}`, {
        field_type: 'List',
        max_length: mostRows,
        actual_length: input.length,
      });
    return input.every(isObject) ? input : notRow;
  },
);
export const rowBody = scalar<Record<string, unknown>>(rowJson, (input) => (isObject(input) ? input : notRow));

export const rowsUpsert = s
  .object({
    rows: s
      .list(s.dict(), { max: mostRows })
      .describe('The rows, at most 10,000; each is an object with the columns to set, the key among them.'),
    on: s
      .withDefault(s.str({ min: 1 }), 'id')
      .describe('The column by which existing rows are found; `id` unless given.'),
  })
  .meta({ id: 'TableRowsUpsert' });

/** One condition on a row; rows have to meet all of a list. */
export const rowFilter = s
  .object({
    column: s.str({ min: 1 }).describe('The column that is compared, or `id`.'),
    op: s.withDefault(s.oneOf(filterOperators), 'eq').describe('How it is compared; `eq` unless given.'),
    value: s.optional(z.unknown()).describe('What it is compared with; a list for `in` and `not_in`.'),
  })
  .meta({ id: 'TableFilter' });
export const rowFilters = s.list(rowFilter, { max: 50 });
export type Filter = z.output<typeof rowFilter>;

export const rowId = z.union([z.string(), z.int()]).describe('The id of a row: a UUID or a number, by the table.');
export const rowIds = z.array(z.union([z.string(), z.int()]));

export const rowParams = s.object({
  table_id: s.uuid('table').describe('The id of the table.'),
  row_id: s.str({ max: 100 }).describe('The id of the row: a UUID or a number, by the `id_type` of the table.'),
});

const filter = s
  .optional(s.str({ max: 20_000 }))
  .describe(
    'Filters as JSON text: a list of at most 50 objects with `column`, `op` (`eq` unless given) and `value`; rows must match all.',
  );
const search = s
  .optional(s.str({ max: 255 }))
  .describe(
    'Only rows of which a cell of type `text` contains this text; upper and lower case are equal. All rows are read for it, up to the limit of time.',
  );

export const rowListQuery = s.query({
  filter,
  search,
  sort: s
    .optional(s.str({ max: 500 }))
    .describe('Up to three columns, such as `-amount,name`: largest amount first, then by name. By id unless given.'),
  cursor: s.optional(s.str({ max: 20_000 })).describe('`next_cursor` of the page before; the first page unless given.'),
  offset: s
    .optional(s.int({ ge: 0, le: 10_000_000 }))
    .describe(
      'How many rows to skip, to jump to a place of the list; instead of `cursor`. The rows before it are read, so that far pages take longer.',
    ),
  size: s.withDefault(s.int({ ge: 1, le: 100 }), 50).describe('Rows on a page; 50 unless given.'),
  total: s
    .withDefault(s.bool(), false)
    .describe('Whether to count all matching rows, which takes time in large tables.'),
  etags: s.optional(s.bool()).describe('Whether to add the version of each row, for `If-Match`.'),
  updated: s.optional(s.bool()).describe('Whether to add who changed each row last, and when.'),
});

export const rowTotalsQuery = s.query({
  filter,
  search,
  columns: s
    .optional(s.str({ max: 2_000 }))
    .describe('The columns to compute for, such as `amount,price`; at most 20. Only the number of rows unless given.'),
});

export const rowTotals = z
  .strictObject({
    count: z.int().describe('How many rows match.'),
    columns: z
      .record(
        z.string(),
        z.strictObject({
          count: z.int().describe('How many of them have a value in this column.'),
          sum: z.number().nullable().describe('The sum of integers and numbers; null for other types.'),
          avg: z.number().nullable().describe('The average of integers and numbers; null for other types.'),
          min: z.unknown().describe('The smallest value; null for types that have no order.'),
          max: z.unknown().describe('The largest value; null for types that have no order.'),
        }),
      )
      .describe('The figures of each column that was asked for.'),
  })
  .meta({ id: 'TableRowTotals' });

export const inserted = z
  .strictObject({
    inserted: z.int().describe('How many rows were inserted.'),
    ids: rowIds.describe('Their ids, in the order of the request.'),
  })
  .meta({ id: 'TableRowsInserted' });
export const upserted = z
  .strictObject({
    updated: z.int().describe('How many rows of the request were found and updated.'),
    inserted: z.int().describe('How many rows were inserted.'),
    ids: rowIds.describe('The ids of the inserted rows.'),
  })
  .meta({ id: 'TableRowsUpserted' });
export const rowPage = z
  .strictObject({
    items: z.array(row).describe('The rows of this page.'),
    next_cursor: z.string().nullable().describe('The cursor of the next page; null on the last page.'),
    total: z.int().nullable().describe('How many rows match; null unless `total` was asked for.'),
    etags: z
      .array(z.string().nullable())
      .optional()
      .describe(
        'The versions of the rows, in their order, where they were asked for; a change of columns can change them.',
      ),
    updated: z
      .array(
        z.strictObject({
          updated_at: z.iso
            .datetime()
            .nullable()
            .describe('When the row was last written; null: before the history begins.'),
          updated_by: z.guid().nullable().describe('Who wrote it; null: not known.'),
          updated_by_actor: actorField('The same with name and kind.'),
        }),
      )
      .optional()
      .describe('Who changed the rows last, in their order, where it was asked for.'),
  })
  .meta({ id: 'TableRowPage' });

export type RowListQuery = Omit<z.output<typeof rowListQuery>, 'filter'>;
export type RowTotalsQuery = z.output<typeof rowTotalsQuery>;
export type RowTotals = z.output<typeof rowTotals>;
export type RowsUpsert = z.output<typeof rowsUpsert>;
