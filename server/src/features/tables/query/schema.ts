import { z } from 'zod';
import * as s from '../../../lib/schema/schema.ts';
import { queryBounds } from './bounds.ts';
import { countPowersOfTen } from './powers-of-ten.ts';

const parameter = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const queryBody = s
  .object({
    sql: s.str({ min: 1, max: 20_000 }),
    /** Values for $1, $2 … */
    params: s
      .withDefault(s.list(parameter, { max: 100 }), () => [])
      .refine((values) => Buffer.byteLength(JSON.stringify(values)) <= queryBounds.parameter_bytes, {
        error: `The parameters are larger than ${queryBounds.parameter_bytes / 1024} KB together`,
      })
      .refine((values) => countPowersOfTen(JSON.stringify(values)) <= queryBounds.parameter_powers, {
        error: `The parameters have more than ${queryBounds.parameter_powers} numbers with an exponent of three digits`,
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
