import * as z from 'zod';
import { valueUnder } from '../keys-of.ts';
import { object, optional } from './compose.ts';
import { describeAs, jsonSchemaOf } from './json-schema.ts';

type Shape = Record<string, z.ZodType>;
type Sparse<S extends Shape> = { [K in keyof S]?: z.output<S[K]> };
type SparseInput<S extends Shape> = { [K in keyof S]?: z.output<S[K]> | null | undefined };

const absent = { type: 'missing', msg: 'Field required' };
const notAnObject = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from',
};

/**
 * An object of many keys of which few are sent: only those are looked at, and only those come out (no default is
 * filled in). Null says what leaving out says. Checking 150 keys one by one cost more than the rest of a request.
 */
export function sparse<S extends Shape>(
  shape: S,
  rename: Record<string, string> = {},
): z.ZodType<Sparse<S>, SparseInput<S>> {
  const order = new Map(Object.keys(shape).map((key, index) => [key, index]));

  const schema = z.transform((input: unknown, context) => {
    const out: Record<string, unknown> = {};
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      const refusal = input === undefined ? absent : notAnObject;
      context.issues.push({ code: 'custom', input, params: { refusal } });
      return z.NEVER;
    }
    const found: z.core.$ZodIssue[] = [];
    const strange: string[] = [];
    for (const [key, value] of Object.entries(input)) {
      const target = rename[key] ?? key;
      if (!order.has(target)) strange.push(key);
      else if (value !== null) {
        // The proper name wins over its other spelling, in any order.
        if (target !== key && valueUnder(input, target) != null) continue;
        const parsed = (shape[target] as z.ZodType).safeParse(value);
        if (parsed.success) out[target] = parsed.data;
        else for (const issue of parsed.error.issues) found.push({ ...issue, path: [key, ...issue.path] });
      }
    }
    const rank = ({ path }: z.core.$ZodIssue) => {
      const key = String(path[0]);
      return order.get(rename[key] ?? key) ?? 0;
    };
    for (const issue of found.sort((a, b) => rank(a) - rank(b))) context.issues.push(issue as z.core.$ZodRawIssue);
    if (strange.length)
      context.issues.push({ code: 'unrecognized_keys', keys: strange, input: input as Record<string, unknown> });
    return out;
  });

  // `toValidationErrors` walks down the schema: it finds the fields here as in any object.
  Object.assign(schema._zod.def, { shape });
  const asObject = () =>
    jsonSchemaOf(object(Object.fromEntries(Object.entries(shape).map(([key, of]) => [key, optional(of)]))), 'input');
  describeAs(schema, asObject);
  return schema as unknown as z.ZodType<Sparse<S>, SparseInput<S>>;
}
