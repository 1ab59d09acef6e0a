import { mostRows } from '@atrium/contract/tables/rows-schema.ts';
import type { ChangeReport, FailureQuery } from '@atrium/contract/tables/schema.ts';
import type { Db } from '../../../db/database.ts';
import { clearFailingValues, findFailures, notAmongChoices } from '../ddl/convert-column-store.ts';
import * as ddl from '../ddl/ddl-store.ts';
import { type Change, noteChangeWithoutRows } from '../history/record-change-store.ts';
import { lockMatchingRows } from '../rows/read-row-store.ts';
import { updateRows } from '../rows/write-row-store.ts';
import type { ColumnRow, TableRow } from '../store.ts';
import { refusal } from './change-column-type.ts';

/** Puts the choices of a column into force. Cells with other values are reported, or emptied on request. */
export async function changeChoices(
  tx: Db,
  change: Change,
  table: TableRow,
  column: ColumnRow,
  { dry_run, on_failure }: FailureQuery,
): Promise<ChangeReport | null> {
  await tx.run(ddl.dropChoices(table, column));
  if (!column.choices) return null;
  await tx.run(ddl.lockWriters(table));
  const fails = notAmongChoices(column);
  const failures = await findFailures(tx, table, column, { fails });
  const { failing_rows } = failures;
  if (dry_run) return { dry_run, ...failures };
  if (failing_rows && on_failure !== 'null') throw refusal(column, 'are not among the choices', failures);
  if (failing_rows > mostRows) {
    await tx.run(clearFailingValues(table, column, { fails }));
    await noteChangeWithoutRows(tx, change, { updated: failing_rows });
  } else if (failing_rows) {
    const rows = await lockMatchingRows(tx, table, fails, mostRows);
    await updateRows(
      tx,
      change,
      table,
      rows.map(({ id }) => id),
      { [column.name]: null },
    );
  }
  await tx.run(ddl.addChoices(table, column));
  return failing_rows ? { dry_run, ...failures } : null;
}
