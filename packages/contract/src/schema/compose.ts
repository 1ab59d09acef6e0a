import * as z from 'zod';

const nullAsAbsent = (input: unknown) => (input === null ? undefined : input);

/** A field that may be left out; null says the same. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess(nullAsAbsent, schema.optional()) as unknown as z.ZodOptional<S>;

/** A field that has a default; null asks for it too. */
export const withDefault = <S extends z.ZodType>(schema: S, value: z.output<S> | (() => z.output<S>)) =>
  z.preprocess(nullAsAbsent, schema.default(value as never)) as unknown as z.ZodDefault<S>;

/** An object with exactly these keys: a misspelt key is a validation error and is never ignored. */
export const object = z.strictObject;

/** Query parameters: unknown ones are let through, since clients send extra ones as noise. */
export const query = z.object;

/** A free-form object, kept as it came. */
export const dict = () => z.record(z.string(), z.unknown());

/** Zod reads `length` on any value that has one; on an object from a caller that read can throw. */
const arraysOnly: object = { when: ({ value }: z.core.ParsePayload) => Array.isArray(value) };

/** The limit of a list that has none of its own; no caller needs more. */
const mostEntries = 10_000;

/** A list. One that is too long is refused before its entries are read, so that it does not cause a million errors. */
export const list = <S extends z.ZodType>(item: S, { min, max = mostEntries }: { min?: number; max?: number } = {}) => {
  const items = z.array(item).max(max, arraysOnly);
  const schema = min === undefined ? items : items.min(min, arraysOnly);
  return z.preprocess((input, context) => {
    if (!Array.isArray(input) || input.length <= max) return input;
    context.issues.push({ code: 'too_big', origin: 'array', maximum: max, inclusive: true, input });
    return z.NEVER;
  }, schema) as unknown as typeof items;
};
