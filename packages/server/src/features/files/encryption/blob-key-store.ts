import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** A key of blobs as it is stored, sealed with its owner's data key. */
export interface BlobKeyRow {
  id: string;
  /** The data key that was current when it was made. */
  made_under: string;
  sealed: string;
}

/** Where the keys of blobs of one kind of owner are stored. */
export interface BlobKeyTable {
  of(db: Db, owner_id: string): Promise<BlobKeyRow[]>;
  /** Inserts nothing when another node has made the key of this data key. */
  insert(db: Db, owner_id: string, row: BlobKeyRow): Promise<unknown>;
}

export const workspaceBlobKeys: BlobKeyTable = {
  of: (db, id) => db.rows(sql`select id, made_under, sealed from blob_keys where workspace_id = ${id}`),
  insert: (db, owner_id, { id, made_under, sealed }) =>
    db.run(sql`
      insert into blob_keys (workspace_id, id, made_under, sealed) values (${owner_id}, ${id}, ${made_under}, ${sealed})
      on conflict (workspace_id, made_under) do nothing`),
};

export const tenantBlobKeys: BlobKeyTable = {
  of: (db, id) => db.rows(sql`select id, made_under, sealed from tenant_blob_keys where tenant_id = ${id}`),
  insert: (db, owner_id, { id, made_under, sealed }) =>
    db.run(sql`
      insert into tenant_blob_keys (tenant_id, id, made_under, sealed)
      values (${owner_id}, ${id}, ${made_under}, ${sealed})
      on conflict (tenant_id, made_under) do nothing`),
};

/** Whether any blob was ever encrypted. */
export async function hasBlobKeys(db: Db): Promise<boolean> {
  const rows = await db.rows(sql`select 1 from blob_keys union all select 1 from tenant_blob_keys limit 1`);
  return rows.length > 0;
}
