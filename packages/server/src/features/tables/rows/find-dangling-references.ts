import type { ValidationError } from '@atrium/contract/errors.ts';
import type { Db } from '../../../db/database.ts';
import { type TableRow, tablesById } from '../store.ts';
import type { Cells } from './read-row-input.ts';
import { findExistingIds } from './read-row-store.ts';

const maxValidationErrors = 1000;

/** Finds the references of rows to rows that do not exist. The foreign key would only report the first. */
export async function findDanglingReferences(
  tx: Db,
  table: TableRow,
  rows: readonly Cells[],
  placeOf: (index: number) => string[],
): Promise<ValidationError[]> {
  const references = table.columns.filter(({ references_table }) => references_table !== null);
  if (references.length === 0) return [];
  const targets = await tablesById(
    tx,
    table.group_id,
    references.flatMap(({ references_table }) => references_table ?? []),
  );
  const validationErrors: ValidationError[] = [];
  for (const column of references) {
    const target = targets.find(({ id }) => id === column.references_table);
    const ids = [
      ...new Set(
        rows.flatMap((row) => (row[column.name] ?? null) as string | number | null).filter((id) => id !== null),
      ),
    ];
    if (!target || ids.length === 0) continue;
    const known = await findExistingIds(tx, target, ids);
    const error = `no such row in ${target.name}`;
    rows.forEach((row, index) => {
      const id = (row[column.name] ?? null) as string | number | null;
      if (id === null || known.has(id) || validationErrors.length >= maxValidationErrors) return;
      const loc = [...placeOf(index), column.name];
      validationErrors.push({ loc, msg: `Value error, ${error}`, type: 'value_error', input: id, ctx: { error } });
    });
  }
  return validationErrors;
}
