import { InvalidRequest, type ValidationError } from '@atrium/contract/errors.ts';
import type { FilterOperator } from '@atrium/contract/tables/schema.ts';
import type { ValueType } from '@atrium/contract/tables/types.ts';
import { identifier, join, type Sql, sql } from '../../../db/sql.ts';
import { required } from '../../../lib/required.ts';
import { databaseTypes } from '../store.ts';
import { isUnfitValue, makeValueReader, valueTypeOf } from '../value-reader.ts';
import type { Filter } from './filters.ts';
import { type RowSource, typesOf } from './row-source.ts';

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
const isCondition = (result: Condition): result is Sql => 'parts' in result;

/** One filter as a condition. Its value is always a parameter. */
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
    const plain = values.map((read) => ('value' in read ? read.value : null));
    const list = type === 'json' ? plain.map((value) => JSON.stringify(value)) : plain;
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
  return sql`${cell} ${required(compared[op])} ${parameter}`;
}

/** All filters together; every invalid one is reported at its location. */
export function conditions(source: RowSource, filters: readonly Filter[], at: string[]): Sql {
  const types = typesOf(source);
  const validationErrors: ValidationError[] = [];
  const parts = filters.flatMap((filter, index) => {
    const place = [...at, String(index)];
    const type = types.get(filter.column);
    if (!type) {
      validationErrors.push({
        ...wrong('no such column in this table'),
        loc: [...place, 'column'],
        input: filter.column,
      });
      return [];
    }
    const condition = conditionOf(filter, type);
    if (isCondition(condition)) return [condition];
    validationErrors.push({ ...condition, loc: [...place, 'value'], input: filter.value ?? null });
    return [];
  });
  if (validationErrors.length) throw new InvalidRequest(validationErrors);
  return parts.length ? join(parts, sql` and `) : sql`true`;
}

/** Rows of which one text contains these words, without regard to case; all rows without any. */
function textCondition({ columns }: Pick<RowSource, 'columns'>, text: string | undefined): Sql {
  if (text === undefined || text === '') return sql`true`;
  const pattern = `%${escaped(text)}%`;
  const matches = columns.flatMap((column) =>
    valueTypeOf(column) === 'text' ? [sql`${identifier(column.name)} ilike ${pattern}`] : [],
  );
  return matches.length ? sql`(${join(matches, sql` or `)})` : sql`false`;
}

/** Rows that meet all filters and contain the text. */
export const matchingCondition = (
  source: RowSource,
  { filters, search }: { filters: readonly Filter[]; search?: string | undefined },
  at: string[],
): Sql => sql`(${conditions(source, filters, at)}) and ${textCondition(source, search)}`;
