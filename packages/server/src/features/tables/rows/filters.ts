import { InvalidRequest } from '@atrium/contract/errors.ts';
import { toValidationErrors } from '@atrium/contract/schema/validation-errors.ts';
import { type Filter, rowFilters } from '@atrium/contract/tables/rows-schema.ts';

export type { Filter };

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
  const parsed = rowFilters.safeParse(value);
  if (parsed.success) return parsed.data;
  const validationErrors = toValidationErrors(rowFilters, parsed.error.issues, value, 'query');
  throw new InvalidRequest(
    validationErrors.map((validationError) => ({ ...validationError, loc: [...at, ...validationError.loc.slice(1)] })),
  );
}
