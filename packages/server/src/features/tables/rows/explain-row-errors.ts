import { conflict } from '@atrium/contract/errors.ts';
import type { Db } from '../../../db/database.ts';
import { fieldsOf } from '../../../lib/json/fields-of.ts';
import { findColumnOfConstraint } from '../columns/column-store.ts';
import type { TableRow } from '../store.ts';

/** Turns constraint errors of the database into conflicts that name the rows in the way; other errors pass. */
export async function explainRowErrors<T>(db: Db, table: TableRow, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, constraint } = fieldsOf(error);
    if (code === '23505') throw conflict('A row with this id is there already', 'row_exists');
    if (code === '54011')
      throw conflict('A table can have 1600 columns in its life, dropped ones too: make a new one', 'too_many_columns');
    if (code === '54000') throw conflict('A text is too long for a column that is indexed', 'text_too_long');
    if (code !== '23503' && code !== '23001') throw error;
    const owner = await findColumnOfConstraint(db, table.group_id, String(constraint ?? ''));
    throw conflict(
      owner && owner.table_id !== table.id
        ? `Rows of ${owner.table_name} refer to it by ${owner.column_name}`
        : `A row that ${owner?.column_name ?? 'it'} refers to is gone`,
      'row_is_referenced',
    );
  }
}
