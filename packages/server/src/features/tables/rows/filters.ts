import { InvalidRequest } from '@atrium/contract/errors.ts';
import * as s from '@atrium/contract/schema/schema.ts';
import { toValidationErrors } from '@atrium/contract/schema/validation-errors.ts';
import { filterOperators } from '@atrium/contract/tables/schema.ts';
import { z } from 'zod';

const filter = s
  .object({
    column: s.str({ min: 1 }),
    op: s.withDefault(s.oneOf(filterOperators), 'eq'),
    value: s.optional(z.unknown()),
  })
  .meta({ id: 'TableFilter' });
const filterList = s.list(filter, { max: 50 });
export type Filter = z.output<typeof filter>;

/** Reads filters from the JSON text of a query parameter. */
export function readFilters(text: string | undefined, at: string[]): Filter[] {
  if (text === undefined || text.trim() === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const validationError = {
      type: 'json_invalid',
      msg: 'Input should be a list of filters as JSON',
      ctx: { error: 'not JSON' },
    };
    throw new InvalidRequest([{ ...validationError, loc: at, input: text }]);
  }
  const parsed = filterList.safeParse(value);
  if (parsed.success) return parsed.data;
  const validationErrors = toValidationErrors(filterList, parsed.error.issues, value, 'query');
  throw new InvalidRequest(
    validationErrors.map((validationError) => ({ ...validationError, loc: [...at, ...validationError.loc.slice(1)] })),
  );
}
