import { conflict } from '@atrium/contract/errors.ts';
import type { FailureQuery } from '@atrium/contract/tables/schema.ts';
import type { Db } from '../../../db/database.ts';
import { addReference } from '../ddl/ddl-store.ts';
import { type ColumnRow, findTable, type TableRow } from '../store.ts';
import { clearDanglingRows, countDanglingRows } from './column-store.ts';
import { rejectReferenceCycle } from './plan-columns.ts';

/** Adds the foreign key of a restored reference again; dangling cells are refused, or emptied on request. */
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
  const count = await countDanglingRows(tx, table, column, target);
  if (count && on_failure !== 'null')
    throw conflict(
      `${count} rows refer by ${column.name} to rows that are gone; with on_failure=null they are emptied`,
      'rows_do_not_fit',
    );
  if (count) await clearDanglingRows(tx, table, column, target);
  await tx.run(addReference(table, column, target));
}
