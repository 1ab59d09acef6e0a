import { idValueType } from '@atrium/contract/tables/types.ts';
import type { Db } from '../../../db/database.ts';
import { identifier, join, type Sql, sql } from '../../../db/sql.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { after, before, type Change, cellsAsJson, noteChanged } from '../history/record-change-store.ts';
import type { TableRow } from '../store.ts';
import { databaseTypes } from '../store.ts';
import { typed } from './filter-store.ts';
import { type Cells, defaultsOf } from './read-row-input.ts';
import { findVersionedRow, shownColumns, splitVersion, version, versionedColumns } from './read-row-store.ts';
import { type Row, typesOf, type VersionedRow } from './row-source.ts';

const comma = sql`, `;

/** Passes rows as one JSON parameter, so that ten thousand cost little more than one. */
function unfolded(table: TableRow, rows: readonly Cells[], names: readonly string[]): Sql {
  const types = typesOf(table);
  const columns = names.map(
    // The only name that is not a column is `~place`, a number.
    (name) => sql`${identifier(name)} ${databaseTypes[types.get(name) ?? 'integer']}`,
  );
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as given (${join(columns, comma)})`;
}

const named = (names: readonly string[]) =>
  join(
    names.map((name) => identifier(name)),
    comma,
  );

/** Raises the id counter of a table above the ids that rows brought along. */
const raiseCounter = (table: TableRow, rows: readonly Cells[]) => {
  const largest = rows.reduce((most, { id }) => Math.max(most, Number(id)), 0);
  return sql`
    select setval(counter, greatest(nextval(counter), ${largest}))
    from pg_get_serial_sequence(${pathOf(table)}, 'id') as counter where ${largest} > 0`;
};
const pathOf = (table: TableRow) => `"${table.schema_name}"."${table.sql_name}"`;

/** Inserts rows whose cells were read before; the ids of all, in their order. */
export async function insertRows(tx: Db, table: TableRow, given: readonly Cells[]): Promise<(string | number)[]> {
  if (given.length === 0) return [];
  const defaults = defaultsOf(table.columns);
  const makesIds = table.id_type === 'uuid';
  const rows = given.map((cells) => {
    const row: Cells = { ...defaults, ...cells };
    if (makesIds) row['id'] ??= newId();
    return row;
  });
  const counted = rows.filter((row) => (row['id'] ?? null) === null);
  const withIds = rows.filter((row) => (row['id'] ?? null) !== null);
  const columns = table.columns.map(({ name }) => name);
  const names = ['id', ...columns];
  if (withIds.length)
    await tx.run(sql`
      insert into ${relationOf(table)} (${named(names)})
      select ${named(names)} from ${unfolded(table, withIds, names)}`);
  if (!makesIds && withIds.length) await tx.rows(raiseCounter(table, withIds));
  if (counted.length) {
    // A table without columns still has ids.
    const made = await tx.rows<{ id: number }>(
      columns.length
        ? sql`insert into ${relationOf(table)} (${named(columns)})
            select ${named(columns)} from ${unfolded(table, counted, columns)} returning id`
        : sql`insert into ${relationOf(table)} (id)
            select nextval(pg_get_serial_sequence(${pathOf(table)}, 'id')) from generate_series(1, ${counted.length}::int)
            returning id`,
    );
    counted.forEach((row, index) => {
      row['id'] = made[index]?.id;
    });
  }
  return rows.map((row) => row['id'] as string | number);
}

/** The columns that have one of these names. */
const columnsNamed = (table: TableRow, names: readonly string[]) =>
  table.columns.filter(({ name }) => names.includes(name));

/** The rows as they are before a change, kept so until the transaction ends. */
const lockedRows = (table: TableRow, names: readonly string[], where: Sql, key = 'id') => sql`
  select own.id as ${identifier('~id')}, own.${identifier(key)} as ${identifier('~key')},
    ${cellsAsJson(columnsNamed(table, names))} as ${before}
  from ${relationOf(table)} as own where ${where} for no key update`;

/** Sets the same cells in these rows; the rows as they are then. */
export async function updateRows(
  tx: Db,
  change: Change,
  table: TableRow,
  ids: readonly (string | number)[],
  cells: Cells,
): Promise<VersionedRow[]> {
  const types = typesOf(table);
  const names = Object.keys(cells);
  const sets = Object.entries(cells).map(
    ([name, value]) =>
      sql`${identifier(name)} = ${value === null ? sql`null` : typed(value, required(types.get(name)))}`,
  );
  const idType = databaseTypes[idValueType(table.id_type)];
  const updated = await tx.rows<Row>(sql`
    with old as (${lockedRows(table, names, sql`own.id = any(${[...ids]}::${idType}[])`)}),
    changed as (
      update ${relationOf(table)} as own set ${join(sets, comma)} from old where own.id = old.${identifier('~id')}
      returning ${versionedColumns(table)}, ${before}, ${cellsAsJson(columnsNamed(table, names))} as ${after}
    ), ${noteChanged(change, table, 'updated')}
    select ${shownColumns(table)}, ${identifier(version)} from changed`);
  return updated.map(splitVersion);
}

/** Changes the cells of one row; the row as it is then, or undefined when there is none. */
export async function updateRow(
  tx: Db,
  change: Change,
  table: TableRow,
  id: string | number,
  cells: Cells,
): Promise<VersionedRow | undefined> {
  if (Object.keys(cells).length === 0) return findVersionedRow(tx, { relation: relationOf(table), ...table }, id, true);
  return (await updateRows(tx, change, table, [id], cells))[0];
}

/** Deletes rows, not those that refer to them; the ids of those that there were. */
export async function deleteRows(tx: Db, change: Change, table: TableRow, ids: readonly (string | number)[]) {
  const idType = databaseTypes[idValueType(table.id_type)];
  const gone = await tx.rows<{ id: string | number }>(sql`
    with changed as (
      delete from ${relationOf(table)} as own where own.id = any(${[...ids]}::${idType}[])
      returning own.id, ${cellsAsJson(table.columns)} as ${before}, null::jsonb as ${after}
    ), ${noteChanged(change, table, 'deleted')} select id from changed`);
  return gone.map(({ id }) => id);
}

/** No column of a caller's is called so. */
const place = '~place';

/** Updates the rows that have these keys already; their ids, and the places of the given rows for which there was one. */
export async function updateByKey(
  tx: Db,
  change: Change,
  table: TableRow,
  key: string,
  rows: readonly Cells[],
): Promise<{ place: number; id: string | number }[]> {
  const found: { place: number; id: string | number }[] = [];
  const numbered: Cells[] = rows.map((row, index) => ({ ...row, [place]: index }));
  // Rows that give the same cells are changed together; a cell that a row does not give stays.
  const groups = Map.groupBy(numbered, (row) => Object.keys(row).sort().join(','));
  for (const group of groups.values()) {
    const names = Object.keys(required(group[0]));
    const changed = names.filter((name) => name !== key && name !== place);
    const sets = changed.map((name) => sql`${identifier(name)} = given.${identifier(name)}`);
    const given = unfolded(table, group, names);
    const keys = sql`own.${identifier(key)} in (select ${identifier(key)} from given)`;
    const matched = await tx.rows<{ place: number; id: string | number }>(
      sets.length
        ? sql`
          with given as materialized (select * from ${given}), old as (${lockedRows(table, changed, keys, key)}),
          changed as (
            update ${relationOf(table)} as own set ${join(sets, comma)}
            from given join old on old.${identifier('~key')} = given.${identifier(key)} where own.id = old.${identifier('~id')}
            returning own.id, given.${identifier(place)}, ${before}, ${cellsAsJson(columnsNamed(table, changed))} as ${after}
          ), ${noteChanged(change, table, 'updated')}
          select ${identifier(place)} as place, id from changed`
        : sql`select given.${identifier(place)} as place, own.id from ${relationOf(table)} as own
            join ${given} on own.${identifier(key)} = given.${identifier(key)}`,
    );
    found.push(...matched);
  }
  return found;
}

/** Keys are not unique in the database: two parallel upserts would both find nothing and insert. */
export const lockUpserts = (tx: Db, table: TableRow) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`upsert ${table.id}`}, 0))`);
