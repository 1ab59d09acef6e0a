import type { ValidationError } from '@atrium/contract/errors.ts';
import type { Db } from '../../../db/database.ts';
import { identifier, sql } from '../../../db/sql.ts';
import { databaseTypes } from '../database-types.ts';
import { type TableRow, tablesById } from '../store.ts';
import { valueTypeOf } from '../value-reader.ts';
import type { Cells } from './read-row-input.ts';

const maxValidationErrors = 1000;

/** Which ids that given rows refer to are not there; the foreign key would only say that one of them is not. */
export async function danglingIn(
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
    references.map((one) => one.references_table as string),
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
    const type = databaseTypes[valueTypeOf(column)];
    const found = await tx.rows<{ id: string | number }>(sql`
      select id from ${identifier(target.schema_name, target.sql_name)} where id = any(${ids}::${type}[])`);
    const known = new Set(found.map(({ id }) => id));
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
