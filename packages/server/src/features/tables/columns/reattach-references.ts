import { conflict } from '@atrium/contract/errors.ts';
import type { FailureQuery } from '@atrium/contract/tables/schema.ts';
import type { Db } from '../../../db/database.ts';
import { identifier, sql } from '../../../db/sql.ts';
import { relationOf } from '../ddl/sql-names.ts';
import { addReference } from '../ddl/statements.ts';
import { type ColumnRow, findTable, type TableRow } from '../store.ts';
import { rejectReferenceCycle } from './plan-columns.ts';

/** A reference that comes back holds again; rows it named may be gone by now, and are said so or given up. */
export async function reattachReferences(
  tx: Db,
  table: TableRow,
  column: ColumnRow,
  on_failure: FailureQuery['on_failure'],
): Promise<void> {
  if (column.references_table === null) return;
  const target = await findTable(tx, table.group_id, column.references_table);
  if (!target)
    throw conflict(`${column.name} refers to a table that was deleted: restore that one first`, 'reference_is_deleted');
  await rejectReferenceCycle(tx, table.group_id, table, target.id);
  const dangling = sql`${identifier(column.name)} is not null and not exists (
    select from ${relationOf(target)} as target where target.id = ${relationOf(table)}.${identifier(column.name)})`;
  const count = (
    await tx.row<{ count: number }>(sql`select count(*) as count from ${relationOf(table)} where ${dangling}`)
  )?.count;
  if (count && on_failure !== 'null')
    throw conflict(
      `${count} rows refer by ${column.name} to rows that are gone; with on_failure=null they are emptied`,
      'rows_do_not_fit',
    );
  if (count) await tx.run(sql`update ${relationOf(table)} set ${identifier(column.name)} = null where ${dangling}`);
  await tx.run(addReference(table, column, target));
}
