import type { ValidationError } from '@atrium/contract/errors.ts';
import * as s from '@atrium/contract/schema/schema.ts';
import { toValidationErrors } from '@atrium/contract/schema/validation-errors.ts';
import type { VariableType } from '@atrium/contract/variables/schema.ts';
import { z } from 'zod';

export const hidden = '**********';

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON object as text, kept as it was written. */
const objectText = z.string().transform((text, context) => {
  try {
    if (isObject(JSON.parse(text))) return text;
  } catch {
    // Text that is not JSON is refused below.
  }
  const msg = 'Input should be a JSON object';
  context.issues.push({ code: 'custom', input: text, params: { refusal: { type: 'dict_type', msg } } });
  return z.NEVER;
});

const field = (schema: z.ZodType) => s.object({ inline_value: schema });
const fields: Record<VariableType, ReturnType<typeof field>> = {
  string: field(s.str()),
  number: field(s.number()),
  boolean: field(s.bool()),
  object: field(objectText),
  datetime: field(s.datetime()),
  file: field(s.uuid()),
};

/** The value as it is stored, or its validation errors, which do not show the value. */
export function readValue(
  type: VariableType,
  text: string,
): { value: string } | { validationErrors: ValidationError[] } {
  const raw = { inline_value: text };
  const parsed = fields[type].safeParse(raw);
  // A number keeps its digits: a double would round long ones.
  if (parsed.success) return { value: type === 'number' ? text.trim() : String(parsed.data.inline_value) };
  const validationErrors = toValidationErrors(fields[type], parsed.error.issues, raw, 'body');
  return { validationErrors: validationErrors.map((validationError) => ({ ...validationError, input: hidden })) };
}
