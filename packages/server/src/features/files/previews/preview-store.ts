import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export interface PreviewKey {
  file_id: string;
  page: number;
  width: number;
}

export const findPreview = (db: Db, workspace_id: string, { file_id, page, width }: PreviewKey) =>
  db.row<{ blob_id: string | null; error: string | null; pages: number | null }>(sql`
    select blob_id, error, pages from file_previews
    where workspace_id = ${workspace_id} and file_id = ${file_id} and page = ${page} and width = ${width}`);

/** The pages of a file, where one of them was drawn. */
export const pagesOf = async (db: Db, workspace_id: string, file_id: string) =>
  (
    await db.row<{ pages: number | null }>(sql`
      select pages from file_previews
      where workspace_id = ${workspace_id} and file_id = ${file_id} and pages is not null limit 1`)
  )?.pages ?? undefined;

/** False when it is there already. */
export const insertPreview = async (
  db: Db,
  workspace_id: string,
  { file_id, page, width }: PreviewKey,
  drawn: { blob_id: string | null; error: string | null; pages: number | null },
) =>
  (await db.run(sql`
    insert into file_previews (workspace_id, file_id, page, width, blob_id, error, pages)
    values (${workspace_id}, ${file_id}, ${page}, ${width}, ${drawn.blob_id}, ${drawn.error}, ${drawn.pages}) on conflict do nothing`)) >
  0;

export const deletePreview = (db: Db, workspace_id: string, { file_id, page, width }: PreviewKey) =>
  db.run(sql`
    delete from file_previews
    where workspace_id = ${workspace_id} and file_id = ${file_id} and page = ${page} and width = ${width}`);

/** Deletes the oldest previews of a file beyond so many; returns their blobs. */
export const deleteOldPreviews = (db: Db, workspace_id: string, file_id: string, kept: number) =>
  db.rows<{ blob_id: string | null }>(sql`
    delete from file_previews p using (
      select page, width from file_previews where workspace_id = ${workspace_id} and file_id = ${file_id}
      order by created_at desc, page, width offset ${kept}) old
    where p.workspace_id = ${workspace_id} and p.file_id = ${file_id} and p.page = old.page and p.width = old.width
    returning p.blob_id`);
