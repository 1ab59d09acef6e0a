import * as z from 'zod';
import * as s from '../../schema/schema.ts';
import { countPowersOfTen } from './powers-of-ten.ts';

/** `powers`: numbers that are written with an exponent of three digits or more. */
export const parameterBounds = { bytes: 256 * 1024, powers: 16 } as const;

const parameter = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const queryBody = s
  .object({
    sql: s
      .str({ min: 1, max: 20_000 })
      .describe('One SELECT statement in the dialect of PostgreSQL; tables are named by their `sql_name`.'),
    params: s
      .withDefault(s.list(parameter, { max: 100 }), () => [])
      .refine((values) => new TextEncoder().encode(JSON.stringify(values)).length <= parameterBounds.bytes, {
        error: `The parameters are larger than ${parameterBounds.bytes / 1024} KB together`,
      })
      .refine((values) => countPowersOfTen(JSON.stringify(values)) <= parameterBounds.powers, {
        error: `The parameters have more than ${parameterBounds.powers} numbers with an exponent of three digits`,
      })
      .describe('The values of `$1`, `$2` … in the statement: texts, numbers, booleans or null; none unless given.'),
    max_rows: s
      .withDefault(s.int({ ge: 1, le: 1000 }), 100)
      .describe('The most rows to return; 100 unless given. More rows are cut off and `truncated` is true.'),
  })
  .meta({ id: 'TableQuery' });
export type QueryBody = z.output<typeof queryBody>;

export const queryAnswer = z
  .strictObject({
    columns: z
      .array(
        z.strictObject({
          name: z.string().describe('The name of the column; columns of the same name get a number.'),
          type: z
            .string()
            .describe('text, integer, number, boolean, date, datetime, json or uuid; other types are shown as text.'),
        }),
      )
      .describe('The columns of the result, in the order of the SELECT.'),
    items: z
      .array(z.record(z.string(), z.unknown()))
      .describe(
        'The rows, each an object with a value or null for every column; numbers too large for JSON are texts.',
      ),
    row_count: z.int().describe('How many rows the answer has.'),
    truncated: z.boolean().describe('Whether there are more rows than `max_rows`.'),
  })
  .meta({ id: 'TableQueryAnswer' });
export type QueryAnswer = z.output<typeof queryAnswer>;
