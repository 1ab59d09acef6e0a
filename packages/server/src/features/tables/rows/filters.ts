import { InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import * as s from '@atrium/contract/schema/schema.ts';
import { toValidationErrors } from '@atrium/contract/schema/validation-errors.ts';
import { type FilterOperator, filterOperators } from '@atrium/contract/tables/schema.ts';
import type { ValueType } from '@atrium/contract/tables/types.ts';
import { z } from 'zod';
import { identifier, join, type Sql, sql } from '../../../db/sql.ts';
import { databaseTypes } from '../database-types.ts';
import { isUnfitValue, makeValueReader } from '../value-reader.ts';
import { type RowSource, typesOf } from './row-source.ts';

const filter = s
  .object({
    column: s.str({ min: 1 }),
    op: s.withDefault(s.oneOf(filterOperators), 'eq'),
    value: s.optional(z.unknown()),
  })
  .meta({ id: 'TableFilter' });
export const filterList = s.list(filter, { max: 50 });
export type Filter = z.output<typeof filter>;

const compared: Partial<Record<FilterOperator, Sql>> = {
  eq: sql`=`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
};

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');
const patterns: Partial<Record<FilterOperator, (text: string) => string>> = {
  contains: (text) => `%${escaped(text)}%`,
  starts_with: (text) => `${escaped(text)}%`,
  ends_with: (text) => `%${escaped(text)}`,
};

/** A value as a parameter of its type. */
export const typed = (value: unknown, type: ValueType): Sql =>
  sql`${type === 'json' ? JSON.stringify(value) : value}::${databaseTypes[type]}`;

const refusal = (type: string, msg: string, error: string) => ({ type, msg, ctx: { error } });
const wrong = (error: string) => refusal('value_error', `Value error, ${error}`, error);

type Condition = Sql | ReturnType<typeof wrong>;
const isCondition = (made: Condition): made is Sql => 'parts' in made;

/** One filter as a condition. What it compares with is always a parameter. */
function conditionOf({ column, op, value }: Filter, type: ValueType): Condition {
  const cell = identifier(column);
  if (op === 'is_null' || ((op === 'eq' || op === 'ne') && (value ?? null) === null)) {
    const wanted = op === 'is_null' ? (value ?? true) : op === 'eq';
    if (typeof wanted !== 'boolean') return wrong('is_null takes true or false');
    return wanted ? sql`${cell} is null` : sql`${cell} is not null`;
  }
  const read = makeValueReader(type);
  if (op === 'in' || op === 'not_in') {
    if (!Array.isArray(value) || value.length > 1000) return wrong(`${op} takes a list of at most 1000 values`);
    const values = value.map(read);
    const unfit = values.find(isUnfitValue);
    if (unfit) return { type: unfit.type, msg: unfit.msg, ctx: unfit.ctx as { error: string } };
    const plain = values.map((one) => ('value' in one ? one.value : null));
    const list = type === 'json' ? plain.map((one) => JSON.stringify(one)) : plain;
    const within = sql`${cell} = any(${list}::${databaseTypes[type]}[])`;
    return op === 'in' ? within : sql`(${cell} is null or not (${within}))`;
  }
  const pattern = patterns[op];
  if (pattern && type === 'json' && op === 'contains') return sql`${cell} @> ${typed(value ?? null, 'json')}`;
  if (pattern) {
    if (type !== 'text') return wrong(`${op} needs a column of type text`);
    if (typeof value !== 'string') return refusal('string_type', 'Input should be a valid string', 'not a text');
    return sql`${cell} ilike ${pattern(value)}`;
  }
  const fit = read(value ?? null);
  if (isUnfitValue(fit)) return { type: fit.type, msg: fit.msg, ctx: fit.ctx as { error: string } };
  const parameter = typed(fit.value, type);
  if (op === 'ne') return sql`${cell} is distinct from ${parameter}`;
  if (fit.value === null) return wrong(`${op} needs a value`);
  return sql`${cell} ${compared[op] as Sql} ${parameter}`;
}

/** All of them together. Every fault is told, at its place. */
export function conditions(source: RowSource, filters: readonly Filter[], at: string[]): Sql {
  const types = typesOf(source);
  const validationErrors: ValidationError[] = [];
  const made = filters.flatMap((one, index) => {
    const place = [...at, String(index)];
    const type = types.get(one.column);
    if (!type) {
      validationErrors.push({ ...wrong('no such column in this table'), loc: [...place, 'column'], input: one.column });
      return [];
    }
    const condition = conditionOf(one, type);
    if (isCondition(condition)) return [condition];
    validationErrors.push({ ...condition, loc: [...place, 'value'], input: one.value ?? null });
    return [];
  });
  if (validationErrors.length) throw new InvalidRequest(validationErrors);
  return made.length ? join(made, sql` and `) : sql`true`;
}

/** Filters that came as JSON text in a query parameter. */
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
