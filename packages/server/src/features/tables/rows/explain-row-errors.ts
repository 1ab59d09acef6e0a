import { conflict } from '@atrium/contract/errors.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { constraintColumn } from '../ddl/sql-names.ts';
import type { TableRow } from '../store.ts';

interface DatabaseError {
  code?: unknown;
  constraint?: string;
}

/** The column whose foreign key this is, and its table. */
const ownerOf = (db: Db, { group_id }: TableRow, constraint: string) =>
  db.row<{ table_id: string; table_name: string; column_name: string }>(sql`
    select t.id as table_id, t.name as table_name, c.name as column_name
    from table_columns c join tables t on t.workspace_id = c.workspace_id and t.id = c.table_id
    where c.workspace_id = ${group_id} and c.id::text = ${constraintColumn(constraint)}`);

/** What the database refuses, in words that name what is in the way; anything else is thrown as it is. */
export async function explainRowErrors<T>(db: Db, table: TableRow, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, constraint = '' } = error as DatabaseError;
    if (code === '23505') throw conflict('A row with this id is there already', 'row_exists');
    if (code === '54011')
      throw conflict('A table can have 1600 columns in its life, dropped ones too: make a new one', 'too_many_columns');
    if (code === '54000') throw conflict('A text is too long for a column that is indexed', 'text_too_long');
    if (code !== '23503' && code !== '23001') throw error;
    const owner = await ownerOf(db, table, constraint);
    throw conflict(
      owner && owner.table_id !== table.id
        ? `Rows of ${owner.table_name} refer to it by ${owner.column_name}`
        : `A row that ${owner?.column_name ?? 'it'} refers to is gone`,
      'row_is_referenced',
    );
  }
}
