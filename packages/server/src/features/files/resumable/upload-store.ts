import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export interface UploadRow {
  workspace_id: string;
  id: string;
  filename: string;
  length: number;
  received: number;
  expires_at: string;
  charged_kinds: string[];
  charged_ids: string[];
}

const columns = sql`workspace_id, id, filename, length, received, expires_at, charged_kinds, charged_ids`;

export const insertUpload = (
  db: Db,
  { workspace_id, id, filename, length, charged_kinds, charged_ids }: Omit<UploadRow, 'received' | 'expires_at'>,
  { created_by, hours }: { created_by: string; hours: number },
) =>
  db.row<UploadRow>(sql`
    insert into resumable_uploads (workspace_id, id, filename, length, created_by, charged_kinds, charged_ids, expires_at)
    values (${workspace_id}, ${id}, ${filename}, ${length}, ${created_by}, ${charged_kinds}, ${charged_ids},
      now() + make_interval(hours => ${hours})) returning ${columns}`);

/** Only who began it finds it. */
export const findUpload = (db: Db, workspace_id: string, id: string, created_by: string) =>
  db.row<UploadRow>(sql`
    select ${columns} from resumable_uploads
    where workspace_id = ${workspace_id} and id = ${id} and created_by = ${created_by} and expires_at > now()`);

/** The size of the file that an upload of this caller has become. */
export const findFinished = (db: Db, workspace_id: string, id: string, created_by: string) =>
  db.row<{ filename: string; size: number }>(sql`
    select filename, size from files where workspace_id = ${workspace_id} and id = ${id} and created_by = ${created_by}`);

/** False when another request has stored a part from there on. */
export const insertPart = async (
  db: Db,
  { workspace_id, id }: Pick<UploadRow, 'workspace_id' | 'id'>,
  part: { start: number; size: number; blob_id: string },
) =>
  (await db.run(sql`
    with grown as (
      update resumable_uploads set received = received + ${part.size}::bigint
      where workspace_id = ${workspace_id} and id = ${id} and received = ${part.start} returning 1)
    insert into upload_parts (workspace_id, upload_id, start_at, blob_id)
    select ${workspace_id}, ${id}, ${part.start}, ${part.blob_id} from grown`)) > 0;

export const listParts = async (db: Db, workspace_id: string, upload_id: string) =>
  (
    await db.rows<{ blob_id: string }>(sql`
      select blob_id from upload_parts where workspace_id = ${workspace_id} and upload_id = ${upload_id}
      order by start_at`)
  ).map(({ blob_id }) => blob_id);

/** False when it is gone: another request has finished or cancelled it. */
export const deleteUpload = async (db: Db, workspace_id: string, id: string) =>
  (await db.run(sql`delete from resumable_uploads where workspace_id = ${workspace_id} and id = ${id}`)) > 0;

export const listExpired = (db: Db) =>
  db.rows<{ workspace_id: string; id: string }>(sql`
    select workspace_id, id from resumable_uploads where expires_at <= now() order by expires_at limit 1000`);
