import type pg from 'pg';

/** Whether a database of any version has a column. */
export async function hasColumn(client: pg.Client, table: string, column: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from information_schema.columns where table_schema = current_schema() and table_name = $1 and column_name = $2',
    [table, column],
  );
  return rowCount === 1;
}
