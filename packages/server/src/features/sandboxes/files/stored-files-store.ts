import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

interface SandboxId {
  workspace_id: string;
  id: string;
}

const leaseTime = sql`now() + interval '30 seconds'`;

/** Makes a node the only one that changes the files of a sandbox. Undefined when another node is that, or it is gone. */
export const claimFiles = (db: Db, { workspace_id, id }: SandboxId, node: string) =>
  db.row<{ files_id: string | null }>(sql`
    update sandboxes set used_by = ${node}, used_until = ${leaseTime}
    where workspace_id = ${workspace_id} and id = ${id}
      and (used_by is null or used_by = ${node} or used_until < now())
    returning files_id`);

/** False when another node has the files now. */
export const renewFiles = async (db: Db, { workspace_id, id }: SandboxId, node: string) =>
  (await db.row(sql`
    update sandboxes set used_until = ${leaseTime}
    where workspace_id = ${workspace_id} and id = ${id} and used_by = ${node} returning 1 as one`)) !== undefined;

export const releaseFiles = (db: Db, { workspace_id, id }: SandboxId, node: string) =>
  db.run(sql`
    update sandboxes set used_by = null, used_until = null
    where workspace_id = ${workspace_id} and id = ${id} and used_by = ${node}`);

/** Notes the newest state of the files. Answers the one before; undefined when another node has the files now. */
export const setFiles = (db: Db, { workspace_id, id }: SandboxId, node: string, files_id: string | null) =>
  db.row<{ files_id: string | null }>(sql`
    with before as (
      select files_id from sandboxes where workspace_id = ${workspace_id} and id = ${id} and used_by = ${node} for update)
    update sandboxes s set files_id = ${files_id} from before
    where s.workspace_id = ${workspace_id} and s.id = ${id}
    returning before.files_id`);

export const findFiles = (db: Db, { workspace_id, id }: SandboxId) =>
  db.row<{ files_id: string | null }>(sql`
    select files_id from sandboxes where workspace_id = ${workspace_id} and id = ${id}`);

/** Those of these sandboxes that exist, in any workspace. */
export const findExisting = async (db: Db, ids: readonly string[]) =>
  (await db.rows<{ id: string }>(sql`select id from sandboxes where id = any(${ids}::uuid[])`)).map(({ id }) => id);

/** Whether the files of any sandbox are in a blob. */
export const hasStoredFiles = async (db: Db) =>
  (await db.row(sql`select 1 as one from sandboxes where files_id is not null limit 1`)) !== undefined;

/** The ids of those of these blobs that hold the files of a sandbox. */
export const usedBlobs = async (db: Db, names: readonly { workspace_id: string; id: string }[]): Promise<string[]> =>
  (
    await db.rows<{ files_id: string }>(sql`
      select s.files_id from sandboxes s
      join unnest(${names.map((name) => name.workspace_id)}::uuid[], ${names.map((name) => name.id)}::uuid[])
        as blob (workspace_id, id) on blob.workspace_id = s.workspace_id and blob.id = s.files_id`)
  ).map(({ files_id }) => files_id);
