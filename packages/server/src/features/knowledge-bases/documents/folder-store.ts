import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { KbRef } from '../ports.ts';
import { folderPath } from './folder-path.ts';

/** The records of the folder with this path; there may be several, or none. */
export async function listFolderDocuments(tx: Db, { workspace_id, kb_id }: KbRef, path: string): Promise<string[]> {
  const rows = await tx.rows<{ id: string; name: string; prefix: string }>(sql`
    select id, name, prefix from kb_documents
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and status = 'folder' and starts_with(${path}, prefix)`);
  return rows.filter((row) => folderPath(row) === path).map(({ id }) => id);
}

/** Sets who sees these documents themselves; null: everybody. */
export const setVisibleTo = (
  tx: Db,
  { workspace_id, kb_id }: KbRef,
  ids: readonly string[],
  words: readonly string[] | null,
) =>
  tx.run(sql`
    update kb_documents set visible_to = ${words}::text[], updated_at = now()
    where workspace_id = ${workspace_id} and kb_id = ${kb_id} and id = any(${ids}::uuid[])`);
