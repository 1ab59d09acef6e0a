import type { Permission } from '@atrium/contract/permissions.ts';
import type { Role } from '@atrium/contract/roles/schema.ts';
import type { Db } from '../../db/database.ts';
import { containsText } from '../../db/list-query.ts';
import { nothing, sql } from '../../db/sql.ts';

/** A role as stored: the permissions it holds, by name. */
export interface RoleRow extends Omit<Role, 'permissions'> {
  permissions: Permission[];
}

const columns = sql`id, name, description, scope, workspace_id as group_id, permissions, is_default, created_at, updated_at,
  etag::text as etag`;

export const listRoles = (db: Db, tenant_id: string) =>
  db.rows<RoleRow>(sql`
    select ${columns} from roles where tenant_id = ${tenant_id} order by is_default desc, scope, id`);

/** The roles that only this workspace has. */
export const listRolesOfWorkspace = (db: Db, workspace_id: string) =>
  db.rows<RoleRow>(
    sql`select ${columns} from roles where workspace_id = ${workspace_id} and not is_default order by id`,
  );

export const findRole = (db: Db, tenant_id: string, id: string) =>
  db.row<RoleRow>(sql`select ${columns} from roles where tenant_id = ${tenant_id} and id = ${id}`);

/** Those of these roles that members of the workspace can have. */
export const findRolesOfWorkspace = async (db: Db, tenant_id: string, workspace_id: string, ids: readonly string[]) =>
  (
    await db.rows<{ id: string }>(sql`
      select id from roles where tenant_id = ${tenant_id} and id = any(${ids}::uuid[]) and scope = 'workspace'
        and (workspace_id is null or workspace_id = ${workspace_id})`)
  ).map(({ id }) => id);

/** The roles that people can have in a workspace, by name; `ids`: only these. */
export const findGrantableRoles = (
  db: Db,
  { tenant_id, workspace_id }: { tenant_id: string; workspace_id: string },
  { search, ids, limit }: { search?: string | undefined; ids?: readonly string[] | undefined; limit: number },
) =>
  db.rows<{ id: string; name: string }>(sql`
    select id, name from roles
    where tenant_id = ${tenant_id} and scope = 'workspace' and (workspace_id is null or workspace_id = ${workspace_id})
      ${search === undefined ? nothing : sql`and ${containsText(sql`name`, search)}`}
      ${ids === undefined ? nothing : sql`and id = any(${[...ids]}::uuid[])`}
    order by lower(name), id limit ${limit}`);

/** The role, locked until the transaction ends: `share` keeps it from changing, `update` also waits for its readers. */
export const lockRole = (tx: Db, tenant_id: string, id: string, strength: 'share' | 'update') =>
  tx.row<RoleRow>(sql`
    select ${columns} from roles where tenant_id = ${tenant_id} and id = ${id}
    ${strength === 'share' ? sql`for share` : sql`for update`}`);

export const insertRole = async (
  db: Db,
  tenant_id: string,
  row: Pick<RoleRow, 'id' | 'name' | 'description' | 'scope' | 'group_id' | 'permissions' | 'is_default'>,
) =>
  await db.one<RoleRow>(sql`
    insert into roles (tenant_id, id, workspace_id, name, description, scope, permissions, is_default)
    values (${tenant_id}, ${row.id}, ${row.group_id}, ${row.name}, ${row.description}, ${row.scope},
            ${row.permissions}, ${row.is_default})
    returning ${columns}`);

export const updateRole = async (
  db: Db,
  tenant_id: string,
  { id, name, description, permissions }: Pick<RoleRow, 'id' | 'name' | 'description' | 'permissions'>,
) =>
  await db.one<RoleRow>(sql`
    update roles set name = ${name}, description = ${description}, permissions = ${permissions}, updated_at = now()
    where tenant_id = ${tenant_id} and id = ${id}
    returning ${columns}`);

export const deleteRole = (db: Db, tenant_id: string, id: string) =>
  db.run(sql`delete from roles where tenant_id = ${tenant_id} and id = ${id}`);
