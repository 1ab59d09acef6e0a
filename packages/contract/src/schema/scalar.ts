import * as z from 'zod';

export interface JsonSchema {
  [key: string]: unknown;
}

/** Why a value was refused, in Pydantic's words. `missing` is special: its input is the object around it. */
export interface Refusal {
  type: string;
  msg: string;
  ctx?: Record<string, unknown>;
}

const refused = Symbol('refused');
type Refused = { [refused]: Refusal };

export const refuse = (type: string, msg: string, ctx?: Record<string, unknown>): Refused => ({
  [refused]: ctx ? { type, msg, ctx } : { type, msg },
});

const isRefused = (value: unknown): value is Refused => typeof value === 'object' && value !== null && refused in value;

export const missing = refuse('missing', 'Field required');

/**
 * A scalar that reads laxly, as Pydantic does ("5" is an integer), and says why it refuses. Zod's own scalars are
 * strict and can't tell "not a number" from "a number we could not parse", which our answers must.
 * The JSON Schema rides on `def`, because zod copies `def` whenever a schema is cloned by `.meta()`.
 */
export function scalar<T>(json: JsonSchema, read: (input: unknown) => T | Refused): z.ZodType<T, T> {
  const schema = z.transform((input: unknown, context) => {
    const result = input === undefined ? missing : read(input);
    if (!isRefused(result)) return result;
    context.issues.push({ code: 'custom', input, params: { refusal: result[refused] } });
    return z.NEVER;
  });
  Object.assign(schema._zod.def, { json });
  return schema as unknown as z.ZodType<T, T>;
}

/** The JSON Schema that one of our scalars carries; undefined for any other schema. */
export function scalarJson(schema: z.core.$ZodType): JsonSchema | undefined {
  const { json }: { type: string; json?: JsonSchema } = schema._zod.def;
  return json;
}
