import { conflict, InvalidRequest } from '@atrium/contract/errors.ts';
import type { ChangeReport, ColumnRetype, FailureQuery } from '@atrium/contract/tables/schema.ts';
import type { Db } from '../../../db/database.ts';
import { clearFailingValues, conversion, findFailures } from '../ddl/convert-column-store.ts';
import * as ddl from '../ddl/ddl-store.ts';
import { type ColumnRow, findTable, type TableRow } from '../store.ts';
import { updateColumn } from './column-store.ts';
import { defaultErrors, referenceErrors, rejectReferenceCycle } from './plan-columns.ts';

const quoted = (text: string) => (text.length > 40 ? `"${text.slice(0, 40)}…"` : `"${text}"`);

/** Refuses a change that does not fit values of rows. */
export function refusal(column: ColumnRow, wanted: string, { failing_rows, examples }: Omit<ChangeReport, 'dry_run'>) {
  const rows = examples.map(({ id, value }) => `${id}: ${quoted(value)}`).join(', ');
  const more = failing_rows > examples.length ? ', …' : '';
  const some = failing_rows === 1 ? '1 row has a value' : `${failing_rows} rows have values`;
  return conflict(
    `${some} in ${column.name} that ${wanted} (${rows}${more}); with on_failure=null they are emptied`,
    'rows_do_not_fit',
  );
}

/** The changed column; refuses references that are not allowed. */
async function planChange(
  tx: Db,
  table: TableRow,
  column: ColumnRow,
  input: ColumnRetype,
): Promise<{ after: ColumnRow; target: TableRow | undefined }> {
  const target = input.references ? await findTable(tx, table.group_id, input.references) : undefined;
  const targets = new Map(target ? [[target.id, target]] : []);
  const validationErrors = referenceErrors({ type: input.new_type, ...input }, targets, table.id, ['body']);
  if (validationErrors.length) throw new InvalidRequest(validationErrors);
  if (target) await rejectReferenceCycle(tx, table.group_id, table, target.id);
  const after: ColumnRow = {
    ...column,
    type: input.new_type,
    references_table: target?.id ?? null,
    references_id_type: target?.id_type ?? null,
    on_delete: target ? (input.on_delete ?? 'restrict') : null,
  };
  return { after, target };
}

/** Changes the type of a column. Cells that do not fit the new type are reported, or emptied on request. */
export async function changeColumnType(
  tx: Db,
  table: TableRow,
  column: ColumnRow,
  sent: ColumnRetype,
  { dry_run, on_failure }: FailureQuery,
): Promise<ChangeReport | null> {
  // A reference without a table keeps the one it refers to.
  const current = sent.new_type === 'reference' ? (column.references_table ?? undefined) : undefined;
  const input = { ...sent, references: sent.references ?? current };
  const same = input.new_type === column.type && (input.references ?? null) === column.references_table;
  if (same && (input.on_delete ?? column.on_delete) === column.on_delete) return null;
  if (column.choices)
    throw conflict(`${column.name} has choices: take them away before its type is changed`, 'column_has_choices');
  const { after, target } = await planChange(tx, table, column, input);
  const clears = on_failure === 'null';
  const unfit = defaultErrors(after, ['body']);
  if (unfit.length && !clears && !dry_run)
    throw conflict(
      `The default of ${column.name} can not become ${after.type}; with on_failure=null it is given up`,
      'default_does_not_fit',
    );
  if (unfit.length) after.default_value = null;

  await tx.run(ddl.lockWriters(table));
  const how = conversion(column, after, target);
  const failures = await findFailures(tx, table, column, how);
  if (failures.failing_rows && !clears && !dry_run) throw refusal(column, `can not become ${after.type}`, failures);
  await updateColumn(tx, table.group_id, after);
  // The report of a dry run is complete here, so the table is not rewritten.
  if (dry_run) return { dry_run, ...failures };

  if (column.type === 'reference') await tx.run(ddl.dropReference(table, column));
  if (failures.failing_rows) await tx.run(clearFailingValues(table, column, how));
  await tx.run(ddl.dropView(table));
  if (ddl.needsIndex(column)) await tx.run(ddl.dropIndex(table, column));
  await tx.run(ddl.dropDefault(table, column));
  await tx.run(ddl.changeType(table, after, how.using));
  await tx.run(ddl.setDefault(table, after));
  if (target) await tx.run(ddl.addReference(table, after, target));
  if (ddl.needsIndex(after)) await tx.run(ddl.addIndex(table, after));
  return failures.failing_rows ? { dry_run, ...failures } : null;
}
