import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export const accountKinds = ['organization', 'page', 'visitor', 'workspace'] as const;

/** An account that bytes are charged to, with its limit; 0: no limit. */
export interface ByteAccount {
  kind: (typeof accountKinds)[number];
  id: string;
  most: number;
  /** The whole quota, where other things than files count for it too. */
  quota?: number;
}

interface Where {
  tenant_id: string;
  workspace_id: string;
}

/** An account without room, and the bytes that it has. */
export interface FullAccount {
  full_kind: ByteAccount['kind'];
  kept: number;
}

/** Charges all accounts, or returns the one that is full. `upload`: recorded until it becomes a file. */
export const chargeBytes = (
  db: Db,
  { tenant_id, workspace_id }: Where,
  upload: string | null,
  accounts: readonly ByteAccount[],
  amount: number,
) =>
  db.row<FullAccount>(sql`
    select * from charge_bytes(${tenant_id}::uuid, ${workspace_id}::uuid, ${upload}::uuid,
      ${accounts.map(({ kind }) => kind)}::text[], ${accounts.map(({ id }) => id)}::text[],
      ${accounts.map(({ most }) => most)}::bigint[], ${amount}::bigint)`);

/** Charges several uploads, each of all accounts or of none; returns the full accounts by the uploads that do not fit. */
export async function chargeUploads(
  db: Db,
  { tenant_id, workspace_id }: Where,
  uploads: readonly { upload: string; amount: number }[],
  accounts: readonly ByteAccount[],
): Promise<Map<string, FullAccount>> {
  const full = await db.rows<FullAccount & { upload: string }>(sql`
    select own.upload, charged.full_kind, charged.kept
    from unnest(${uploads.map(({ upload }) => upload)}::uuid[], ${uploads.map(({ amount }) => amount)}::bigint[])
      as own (upload, amount)
    cross join lateral charge_bytes(${tenant_id}::uuid, ${workspace_id}::uuid, own.upload,
      ${accounts.map(({ kind }) => kind)}::text[], ${accounts.map(({ id }) => id)}::text[],
      ${accounts.map(({ most }) => most)}::bigint[], own.amount) as charged`);
  return new Map(full.map(({ upload, ...account }) => [upload, account]));
}

/** The bytes of files in each workspace of a tenant that has some. */
export const bytesOfWorkspaces = async (db: Db, tenant_id: string): Promise<Map<string, number>> => {
  const rows = await db.rows<{ id: string; bytes: number }>(sql`
    select id, bytes from byte_accounts where tenant_id = ${tenant_id} and kind = 'workspace'`);
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
};

/** The bytes of files in each of these workspaces that has some. */
export const fileBytesOf = async (db: Db, workspace_ids: readonly string[]): Promise<Map<string, number>> => {
  const rows = await db.rows<{ id: string; bytes: number }>(sql`
    select id, bytes from byte_accounts
    where workspace_id = any(${[...workspace_ids]}::uuid[]) and kind = 'workspace'`);
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
};

/** Deletes uploads that have become files. */
export const deleteUploads = (db: Db, workspace_id: string, ids: readonly string[]) =>
  db.run(sql`delete from file_uploads where workspace_id = ${workspace_id} and id = any(${ids}::uuid[])`);

interface Upload extends Where {
  id: string;
  bytes: number;
  kinds: ByteAccount['kind'][];
  account_ids: string[];
}

export const claimUpload = (db: Db, workspace_id: string, id: string) =>
  db.row<Upload>(sql`
    delete from file_uploads u using workspaces w where u.workspace_id = ${workspace_id} and u.id = ${id}
      and w.id = u.workspace_id returning w.tenant_id, u.workspace_id, u.id, u.bytes, u.kinds, u.account_ids`);

/** Uploads that began so long ago that no process works on them any more; those in parts end by themselves. */
export const abandonedUploads = (db: Db, before: Date) =>
  db.rows<{ workspace_id: string; id: string }>(sql`
    select u.workspace_id, u.id from file_uploads u
    where u.started_at < ${before} and not exists (
      select from resumable_uploads r where r.workspace_id = u.workspace_id and r.id = u.id)
    order by u.started_at limit 1000`);
