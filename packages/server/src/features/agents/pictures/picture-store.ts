import type { Db } from '../../../db/database.ts';
import { nextEtag } from '../../../db/etag.ts';
import { sql } from '../../../db/sql.ts';

export const putPicture = (db: Db, workspace_id: string, agent_id: string, hash: string, bytes: Buffer) =>
  db.run(sql`
    insert into agent_pictures (workspace_id, agent_id, hash, bytes)
    values (${workspace_id}, ${agent_id}, ${hash}, ${bytes})
    on conflict (workspace_id, agent_id) do update set hash = excluded.hash, bytes = excluded.bytes`);

export const deletePicture = (db: Db, workspace_id: string, agent_id: string) =>
  db.run(sql`delete from agent_pictures where workspace_id = ${workspace_id} and agent_id = ${agent_id}`);

export const findPicture = (db: Db, workspace_id: string, agent_id: string) =>
  db.row<{ hash: string; bytes: Buffer }>(sql`
    select hash, bytes from agent_pictures where workspace_id = ${workspace_id} and agent_id = ${agent_id}`);

export const setImageUrl = (db: Db, workspace_id: string, id: string, image_url: string | null) =>
  db.run(sql`
    update agents set image_url = ${image_url}, last_updated_at = now(), ${nextEtag()}
    where workspace_id = ${workspace_id} and id = ${id}`);
