import * as z from 'zod';
import { misfit } from './check-json.ts';
import type { JsonSchema } from './scalar.ts';

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function deeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => deeperThan(item, depth - 1));
}

/** Whether a foreign schema is small and flat enough to be sent to a model and checked against. */
export const isModest = (schema: unknown, most = 60_000): schema is JsonSchema =>
  isObject(schema) && !deeperThan(schema, 24) && JSON.stringify(schema).length <= most;

/** A JSON Schema of an object, as what tools are described and checked by. Values pass as they are. */
export function fromJsonSchema(schema: JsonSchema): z.ZodType<Record<string, unknown>> {
  const { $schema: _, ...rest } = schema;
  // Providers refuse a tool whose input is anything but an object.
  const json: JsonSchema = {
    ...rest,
    type: 'object',
    properties: isObject(rest['properties']) ? rest['properties'] : {},
  };
  const made = z.transform((input: unknown, context) => {
    // A model that has nothing to say may say nothing.
    const value = input ?? {};
    const why = misfit(json, value);
    if (why === undefined) return value;
    const [place = '', ...words] = why.split(': ');
    const path = place === 'input' ? [] : place.split('.');
    context.issues.push({ code: 'custom', input, path, message: words.join(': ') });
    return z.NEVER;
  });
  Object.assign(made._zod.def, { json });
  return made as unknown as z.ZodType<Record<string, unknown>>;
}
