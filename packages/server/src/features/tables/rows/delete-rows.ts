import type { Db } from '../../../db/database.ts';
import { listReferencesTo } from '../columns/column-store.ts';
import { type Change, forgetRowsOfChange } from '../history/record-change-store.ts';
import { type TableRow, tablesById } from '../store.ts';
import { findReferringIds, lockRows } from './read-row-store.ts';
import { deleteRows, updateRows } from './write-row-store.ts';

/** Rows of other tables that a deletion deletes or empties with it; of more, the history keeps none. */
const mostReferring = 10_000;

type Ids = readonly (string | number)[];

/**
 * Deletes rows, and before them those that refer to them, as the `on_delete` rules of the columns say: the foreign keys
 * would do the same, and the history would not know. The ids of the rows that there were.
 */
export async function deleteRowsAndReferences(tx: Db, change: Change, table: TableRow, ids: Ids) {
  let left = mostReferring;

  async function deleteReferring(target: TableRow, targetIds: Ids): Promise<void> {
    const references = await listReferencesTo(tx, target.group_id, target.id);
    if (references.length === 0 || targetIds.length === 0) return;
    // The foreign keys of new rows wait for this lock.
    await lockRows(tx, target, targetIds);
    const tables = await tablesById(
      tx,
      target.group_id,
      references.map(({ table_id }) => table_id),
    );
    for (const { table_id, column_name, on_delete } of references) {
      const referring = tables.find(({ id }) => id === table_id);
      if (!referring || on_delete === 'restrict' || left < 0) continue;
      const found = await findReferringIds(tx, referring, column_name, targetIds, left + 1);
      left -= found.length;
      if (left < 0 || found.length === 0) continue;
      if (on_delete === 'set_null') await updateRows(tx, change, referring, found, { [column_name]: null });
      else {
        await deleteReferring(referring, found);
        if (left >= 0) await deleteRows(tx, change, referring, found);
      }
    }
  }

  await deleteReferring(table, ids);
  const gone = await deleteRows(tx, change, table, ids);
  if (left < 0) await forgetRowsOfChange(tx, change);
  return gone;
}
