import { z } from 'zod';
import { refuse, scalar } from '../schema/scalar.ts';
import * as s from '../schema/schema.ts';

export const mostRows = 10_000;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A row is flat, with the columns the table has: they are checked against the table, not here. */
export const row = z.looseObject({ id: z.union([z.string(), z.int()]) }).meta({ id: 'TableRow' });

const rowJson = { type: 'object', additionalProperties: true };
const notRow = refuse('dict_type', 'Input should be a valid dictionary');

/** One row, or many. Read by hand: a schema for each of ten thousand rows would cost more than storing them. */
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
  .object({ rows: s.list(s.dict(), { max: mostRows }), on: s.withDefault(s.str({ min: 1 }), 'id') })
  .meta({ id: 'TableRowsUpsert' });

export const rowParams = s.object({ table_id: s.uuid('table'), row_id: s.str({ max: 100 }) });

const filter = s.optional(s.str({ max: 20_000 }));
export const rowListQuery = s.query({
  filter,
  sort: s.optional(s.str({ max: 500 })),
  cursor: s.optional(s.str({ max: 20_000 })),
  size: s.withDefault(s.int({ ge: 1, le: 100 }), 50),
  total: s.withDefault(s.bool(), false),
});

export const inserted = z
  .strictObject({ inserted: z.int(), ids: z.array(z.union([z.string(), z.int()])) })
  .meta({ id: 'TableRowsInserted' });
export const upserted = z
  .strictObject({ updated: z.int(), inserted: z.int(), ids: z.array(z.union([z.string(), z.int()])) })
  .meta({ id: 'TableRowsUpserted' });
export const rowPage = z
  .strictObject({ items: z.array(row), next_cursor: z.string().nullable(), total: z.int().nullable() })
  .meta({ id: 'TableRowPage' });

export type RowListQuery = Omit<z.output<typeof rowListQuery>, 'filter'>;
export type RowsUpsert = z.output<typeof rowsUpsert>;
