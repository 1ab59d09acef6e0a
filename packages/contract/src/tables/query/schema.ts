import { z } from 'zod';
import * as s from '../../schema/schema.ts';
import { countPowersOfTen } from './powers-of-ten.ts';

/** `powers`: numbers that are written with an exponent of three digits or more. */
export const parameterBounds = { bytes: 256 * 1024, powers: 16 } as const;

const parameter = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const queryBody = s
  .object({
    sql: s.str({ min: 1, max: 20_000 }),
    /** Values for $1, $2 … */
    params: s
      .withDefault(s.list(parameter, { max: 100 }), () => [])
      .refine((values) => new TextEncoder().encode(JSON.stringify(values)).length <= parameterBounds.bytes, {
        error: `The parameters are larger than ${parameterBounds.bytes / 1024} KB together`,
      })
      .refine((values) => countPowersOfTen(JSON.stringify(values)) <= parameterBounds.powers, {
        error: `The parameters have more than ${parameterBounds.powers} numbers with an exponent of three digits`,
      }),
    max_rows: s.withDefault(s.int({ ge: 1, le: 1000 }), 100),
  })
  .meta({ id: 'TableQuery' });
export type QueryBody = z.output<typeof queryBody>;

export const queryAnswer = z
  .strictObject({
    columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
    items: z.array(z.record(z.string(), z.unknown())),
    row_count: z.int(),
    truncated: z.boolean(),
  })
  .meta({ id: 'TableQueryAnswer' });
