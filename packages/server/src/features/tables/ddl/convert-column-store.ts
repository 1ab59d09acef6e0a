import type { ChangeReport } from '@atrium/contract/tables/schema.ts';
import type { ValueType } from '@atrium/contract/tables/types.ts';
import type { Db } from '../../../db/database.ts';
import { identifier, literal, type Sql, sql } from '../../../db/sql.ts';
import type { ColumnRow, TableRow } from '../store.ts';
import { valueTypeOf } from '../value-reader.ts';
import { relationOf } from './sql-names.ts';

/** A value of a type as text, in the form in which the API shows it. */
function asText(value: Sql, from: ValueType, to: ValueType): Sql {
  if (from === 'datetime') return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  if (from === 'json') return sql`(${value} #>> '{}')`;
  if (from === 'boolean' && (to === 'integer' || to === 'number')) return sql`(${value}::int)::text`;
  return sql`${value}::text`;
}

interface Reading {
  /** Whether the text can be read as the type. PostgreSQL itself would take "today" for a day; we would not. */
  fits(text: Sql): Sql;
  read(text: Sql): Sql;
}

const castable = (text: Sql, type: string) => sql`atrium_castable(${text}, ${literal(type)})`;

/** Each way of reading says no rather than give up a part of a value: a fraction, a time of day, digits. */
const readings: Record<ValueType, Reading> = {
  text: { fits: () => sql`true`, read: (text) => text },
  integer: {
    fits: (text) => sql`case when ${castable(sql`trim(${text})`, 'bigint')}
      then abs(trim(${text})::numeric) <= 9007199254740991 else false end`,
    read: (text) => sql`trim(${text})::bigint`,
  },
  number: {
    fits: (text) => sql`case when ${castable(sql`trim(${text})`, 'double precision')}
      then trim(${text})::double precision not in ('NaN', 'Infinity', '-Infinity') else false end`,
    read: (text) => sql`trim(${text})::double precision`,
  },
  boolean: {
    fits: (text) => castable(sql`trim(${text})`, 'boolean'),
    read: (text) => sql`trim(${text})::boolean`,
  },
  date: {
    fits: (text) => sql`case when trim(${text}) ~ '^\\d{4}-\\d{2}-\\d{2}(T00:00:00(\\.0+)?Z?)?$'
      then ${castable(sql`left(trim(${text}), 10)`, 'date')} else false end`,
    read: (text) => sql`left(trim(${text}), 10)::date`,
  },
  datetime: {
    fits: (text) => sql`case when trim(${text}) ~
      '^\\d{4}-\\d{2}-\\d{2}([T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?\\s*(Z|[+-]\\d{2}:?\\d{2})?)?$'
      then ${castable(sql`trim(${text})`, 'timestamptz')} else false end`,
    read: (text) => sql`trim(${text})::timestamptz(3)`,
  },
  json: { fits: (text) => castable(text, 'jsonb'), read: (text) => sql`${text}::jsonb` },
  uuid: { fits: (text) => castable(sql`trim(${text})`, 'uuid'), read: (text) => sql`trim(${text})::uuid` },
};

export interface Conversion {
  /** The value in the new type; null where it has none. */
  using: Sql;
  /** Whether a row has a value that the new type can't take. */
  fails: Sql;
}

/** How the values of a column become those of another type; `target` is the table a new reference refers to. */
export function conversion(column: ColumnRow, to: ColumnRow, target: TableRow | undefined): Conversion {
  const value = identifier(column.name);
  const [fromType, toType] = [valueTypeOf(column), valueTypeOf(to)];
  if (fromType === toType || (toType === 'json' && fromType !== 'text')) {
    const using = toType === 'json' && fromType !== 'json' ? sql`to_jsonb(${value})` : value;
    return { using, fails: missing(value, value, target) };
  }
  const text = asText(value, fromType, toType);
  const { fits, read } = readings[toType];
  const using = sql`case when ${value} is null then null when ${fits(text)} then ${read(text)} end`;
  const unreadable = sql`${value} is not null and not (${fits(text)})`;
  return { using, fails: target ? sql`(${unreadable}) or ${missing(using, value, target)}` : unreadable };
}

/** A new reference has to refer to rows that are there. */
const missing = (converted: Sql, value: Sql, target: TableRow | undefined): Sql =>
  target
    ? sql`(${value} is not null and not exists (select from ${relationOf(target)} as target
        where target.id = ${converted}))`
    : sql`false`;

const shown = 10;

/** How many rows can't take the new type, and the first of them. */
export async function findFailures(
  tx: Db,
  table: TableRow,
  column: ColumnRow,
  { fails }: Pick<Conversion, 'fails'>,
): Promise<Omit<ChangeReport, 'dry_run'>> {
  const rows = await tx.rows<{ id: string | number; value: string; total: number }>(sql`
    select id, left(${identifier(column.name)}::text, 100) as value, count(*) over () as total
    from ${relationOf(table)} where ${fails} order by id limit ${shown}`);
  return { failing_rows: rows[0]?.total ?? 0, examples: rows.map(({ id, value }) => ({ id, value })) };
}

/** Whether a row has a value that is not among the choices of the column. */
export const notAmongChoices = ({ name, choices }: ColumnRow): Sql =>
  sql`${identifier(name)} is not null and not ${identifier(name)} = any(${(choices ?? []).map(({ value }) => value)}::text[])`;

/** Gives up the values that the new type can't take. */
export const clearFailingValues = (table: TableRow, column: ColumnRow, { fails }: Pick<Conversion, 'fails'>): Sql =>
  sql`update ${relationOf(table)} set ${identifier(column.name)} = null where ${fails}`;
