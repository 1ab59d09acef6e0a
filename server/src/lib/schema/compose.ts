import { z } from 'zod';

const nullAsAbsent = (input: unknown) => (input === null ? undefined : input);

/** A field that may be left out; null says the same. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess(nullAsAbsent, schema.optional()) as unknown as z.ZodOptional<S>;

/** A field that has a default; null asks for it too. */
export const withDefault = <S extends z.ZodType>(schema: S, value: z.output<S> | (() => z.output<S>)) =>
  z.preprocess(nullAsAbsent, schema.default(value as never)) as unknown as z.ZodDefault<S>;

/** An object that holds these keys and no others: a misspelt key is a fault, never swallowed. */
export const object = z.strictObject;

/** Query parameters: unknown ones are let through, since clients send extra ones as noise. */
export const query = z.object;

/** A free-form object, kept as it came. */
export const dict = () => z.record(z.string(), z.unknown());

/** Zod measures whatever has a `length`; of an object that a caller gave one, reading it can throw. */
const arraysOnly: object = { when: ({ value }: z.core.ParsePayload) => Array.isArray(value) };

export const list = <S extends z.ZodType>(item: S, { min, max }: { min?: number; max?: number } = {}) => {
  const items = z.array(item);
  const atLeast = min === undefined ? items : items.min(min, arraysOnly);
  return max === undefined ? atLeast : atLeast.max(max, arraysOnly);
};

/** In answers: a value that can be null, and is always there. */
export const nullable = <S extends z.ZodType>(schema: S) => z.nullable(schema);
