import type { Db } from '../../db/database.ts';
import { identifier, join, sql } from '../../db/sql.ts';
import { isJson, sealedPattern } from '../../db/stored-text/sealed-text.ts';
import { type TextColumn, textColumns } from '../../db/stored-text/text-columns.ts';

/** A column of a table as results of statements name it. */
export interface NumberedColumn {
  table_id: number;
  table_name: string;
  number: number;
  name: string;
}

export const readColumnNumbers = (db: Db, tables: readonly string[]) =>
  db.rows<NumberedColumn>(sql`
    select c.oid::int8 as table_id, c.relname::text as table_name, a.attnum::int as number, a.attname::text as name
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.oid = any(array(select to_regclass(t) from unnest(${[...tables]}::text[]) as t))`);

/** A value as it is stored; `place` is valid until the row changes. */
export interface StoredValue {
  place: string;
  workspace_id: string;
  /** The values of the columns that name the row. */
  keys: (string | null)[];
  stored: string;
}

export const firstPlace = '(0,0)';

/** Values that are not in the wanted form, as they are stored, in the physical order of their rows. */
export function listOtherForm(db: Db, column: TextColumn, sealed: boolean, after: string, limit: number) {
  const [table = '', name = ''] = column.split('.');
  // A computed field is none that the codec opens.
  const value = sql`${identifier(name)}::text`;
  const keys = textColumns[column].id.map((key) => sql`${identifier(key)}::text`);
  const is_sealed = sql`${value} like ${sealedPattern(column)}`;
  return db.rows<StoredValue>(sql`
    select ctid::text as place, workspace_id, array[${join(keys, sql`, `)}] as keys, ${value} || '' as stored
    from ${identifier(table)}
    where ctid > ${after}::tid and ${identifier(name)} is not null and ${sealed ? sql`not (${is_sealed})` : is_sealed}
    order by ctid limit ${limit}`);
}

/**
 * Replaces a value if it is still the same. The setting tells triggers that nothing was said: a message that is only
 * stored in another form is not sent to its channel again.
 */
export const replaceValue = (db: Db, column: TextColumn, { place, stored }: StoredValue, value: string) => {
  const [table = '', name = ''] = column.split('.');
  const cast = isJson(column) ? sql`::json` : sql`::text`;
  return db.run(sql`
    with quiet as (select set_config('atrium.converting_text', 'on', true))
    update ${identifier(table)} set ${identifier(name)} = ${value}${cast} from quiet
    where ${identifier(table)}.ctid = ${place}::tid and ${identifier(name)}::text = ${stored}`);
};

/** When all values of a column were last found in this form. */
export const findConverted = async (db: Db, column: TextColumn) =>
  db.row<{ sealed: boolean; recent: boolean }>(sql`
    select sealed, finished_at > now() - interval '1 day' as recent from text_conversions where name = ${column}`);

/** All columns are looked at again: the process that starts may replace one with another value of the switch. */
export const forgetConverted = (db: Db) => db.run(sql`delete from text_conversions`);

export const recordConverted = (db: Db, column: TextColumn, sealed: boolean) =>
  db.run(sql`
    insert into text_conversions (name, sealed, finished_at) values (${column}, ${sealed}, now())
    on conflict (name) do update set sealed = excluded.sealed, finished_at = excluded.finished_at`);
