import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export interface TextRow {
  readers: number;
  blob_id: string | null;
  head_bytes: number | null;
  error_code: string | null;
  error: string | null;
}

export const findText = (db: Db, workspace_id: string, file_id: string) =>
  db.row<TextRow>(sql`
    select readers, blob_id, head_bytes, error_code, error from file_texts
    where workspace_id = ${workspace_id} and file_id = ${file_id}`);

/** False when another request has stored it in the meantime. */
export const insertText = async (db: Db, workspace_id: string, file_id: string, row: TextRow) =>
  (await db.run(sql`
    insert into file_texts (workspace_id, file_id, readers, blob_id, head_bytes, error_code, error)
    values (${workspace_id}, ${file_id}, ${row.readers}, ${row.blob_id}, ${row.head_bytes}, ${row.error_code},
            ${row.error})
    on conflict do nothing`)) > 0;

/** Deletes the text that was found, unless it was replaced meanwhile. */
export const deleteText = (db: Db, workspace_id: string, file_id: string, { readers, blob_id }: TextRow) =>
  db.run(sql`
    delete from file_texts
    where workspace_id = ${workspace_id} and file_id = ${file_id} and readers = ${readers}
      and blob_id is not distinct from ${blob_id}::uuid`);
