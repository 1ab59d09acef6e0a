import type { Workspace, WorkspaceCreate, WorkspacePatch } from '@atrium/contract/workspaces/schema.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

const columns = sql`id, name, description, pii_allow, file_quota_mb, created_at, updated_at, etag::text as etag`;

/** A workspace as it is stored. */
export type WorkspaceRow = Omit<Workspace, 'file_bytes'>;

export const listWorkspaces = (db: Db, tenant_id: string) =>
  db.rows<WorkspaceRow>(sql`select ${columns} from workspaces where tenant_id = ${tenant_id} order by id`);

export const findWorkspace = (db: Db, tenant_id: string, id: string) =>
  db.row<WorkspaceRow>(sql`select ${columns} from workspaces where tenant_id = ${tenant_id} and id = ${id}`);

export const workspaceName = async (db: Db, id: string) =>
  (await db.row<{ name: string }>(sql`select name from workspaces where id = ${id}`))?.name;

export const workspacePiiAllow = async (db: Db, id: string) =>
  (await db.row<{ pii_allow: string[] }>(sql`select pii_allow from workspaces where id = ${id}`))?.pii_allow ?? [];

export const workspaceFileQuota = async (db: Db, id: string) =>
  (await db.row<{ file_quota_mb: number }>(sql`select file_quota_mb from workspaces where id = ${id}`))
    ?.file_quota_mb ?? 0;

export const insertWorkspace = async (db: Db, tenant_id: string, id: string, input: WorkspaceCreate) =>
  await db.one<WorkspaceRow>(sql`
    insert into workspaces (id, tenant_id, name, description, pii_allow)
    values (${id}, ${tenant_id}, ${input.name}, ${input.description ?? null},
      ${JSON.stringify(input.pii_allow ?? [])})
    returning ${columns}`);

export const updateWorkspace = (db: Db, tenant_id: string, id: string, patch: WorkspacePatch) =>
  db.row<WorkspaceRow>(sql`
    update workspaces
    set name = coalesce(${patch.name ?? null}, name),
        description = coalesce(${patch.description ?? null}, description),
        pii_allow = coalesce(${patch.pii_allow ? JSON.stringify(patch.pii_allow) : null}::jsonb, pii_allow),
        file_quota_mb = coalesce(${patch.file_quota_mb ?? null}, file_quota_mb),
        updated_at = now()
    where tenant_id = ${tenant_id} and id = ${id}
    returning ${columns}`);

export const deleteWorkspace = (db: Db, tenant_id: string, id: string) =>
  db.run(sql`delete from workspaces where tenant_id = ${tenant_id} and id = ${id}`);

export const hasSystemKeys = async (db: Db, tenant_id: string, id: string) =>
  (await db.row(sql`
    select 1 from api_keys where tenant_id = ${tenant_id} and workspace_id = ${id} and tenant_admin limit 1`)) !==
  undefined;
