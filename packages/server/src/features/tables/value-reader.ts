import type { ValidationError } from '@atrium/contract/errors.ts';
import * as s from '@atrium/contract/schema/schema.ts';
import { toValidationErrors } from '@atrium/contract/schema/validation-errors.ts';
import { type IdType, idValueType, type ValueType } from '@atrium/contract/tables/types.ts';
import type { z } from 'zod';
import type { ColumnRow } from './store.ts';

/** Why a value does not fit its column. */
export type UnfitValue = Pick<ValidationError, 'msg' | 'type' | 'ctx'>;

/** A value as the database takes it, or why it does not fit. */
export type ValueReader = (input: unknown) => { value: unknown } | UnfitValue;

export const isUnfitValue = (result: object): result is UnfitValue => 'msg' in result;

/** Reads a value by its schema, with the messages of the API. */
const reading =
  (schema: z.ZodType): ValueReader =>
  (input) => {
    const parsed = schema.safeParse(input);
    if (parsed.success) return { value: parsed.data };
    const [{ msg, type, ctx }] = toValidationErrors(schema, parsed.error.issues, input, 'body') as [ValidationError];
    return { msg, type, ctx };
  };

const dayShape = /^\d{4}-\d{2}-\d{2}$/;
const moment = reading(s.datetime());
const day: ValueReader = (input) => {
  const read = typeof input === 'string' && dayShape.test(input) ? moment(input) : undefined;
  if (read && !isUnfitValue(read)) return { value: input };
  const error = (read?.ctx['error'] as string | undefined) ?? 'a day is written YYYY-MM-DD';
  return { type: 'date_parsing', msg: `Input should be a valid date, ${error}`, ctx: { error } };
};

const readers: Record<ValueType, ValueReader> = {
  text: reading(s.str()),
  integer: reading(s.int()),
  number: reading(s.number()),
  boolean: reading(s.bool()),
  date: day,
  datetime: moment,
  json: (value) => ({ value }),
  uuid: reading(s.uuid()),
};

/** Values that need no schema. Most of the thousands of values are such, so the check saves time. */
const plainlyRight: Partial<Record<ValueType, (input: unknown) => boolean>> = {
  text: (input) => typeof input === 'string',
  integer: (input) => Number.isSafeInteger(input) && !Object.is(input, -0),
  number: (input) => Number.isFinite(input),
  boolean: (input) => typeof input === 'boolean',
};

export function makeValueReader(type: ValueType): ValueReader {
  const [read, isRight] = [readers[type], plainlyRight[type]];
  return (input) => (input === null || isRight?.(input) ? { value: input } : read(input));
}

/** What a column holds: of a reference, the ids of the table it refers to. */
export const valueTypeOf = (column: Pick<ColumnRow, 'type' | 'references_id_type'>): ValueType =>
  column.type === 'reference' ? idValueType(column.references_id_type as IdType) : column.type;

const mostNamed = 20;

/** Refuses a value that is not among the choices of its column. */
export function chosen(
  { choices }: Pick<ColumnRow, 'choices'>,
  read: { value: unknown } | UnfitValue,
): { value: unknown } | UnfitValue {
  if (!choices || isUnfitValue(read) || read.value === null) return read;
  if (choices.some(({ value }) => value === read.value)) return read;
  const named = choices.slice(0, mostNamed).map(({ value }) => `'${value}'`);
  const expected = `${named.join(', ')}${choices.length > mostNamed ? ', …' : ''}`;
  return { type: 'literal_error', msg: `Input should be one of ${expected}`, ctx: { expected } };
}

/** Reads values for a column. */
export function makeColumnReader(column: ColumnRow): ValueReader {
  const read = makeValueReader(valueTypeOf(column));
  return column.choices ? (input) => chosen(column, read(input)) : read;
}

/** A default is kept as text, and read as its column reads everything. */
export function readDefault(type: ValueType, text: string): { value: unknown } | UnfitValue {
  if (type !== 'json') return makeValueReader(type)(text);
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { type: 'json_invalid', msg: 'Input should be valid JSON', ctx: { error: 'not JSON' } };
  }
}
