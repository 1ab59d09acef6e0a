import type { Permission } from '@atrium/contract/permissions.ts';
import type { ServiceAccount } from '@atrium/contract/service-accounts/schema.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export interface NewServiceAccount {
  id: string;
  tenant_id: string;
  /** Null: the organization's. */
  workspace_id: string | null;
  name: string;
  role_id: string | null;
  permissions: readonly Permission[];
}

/** The permissions are those of the role where there is one. */
const columns = sql`a.id, a.workspace_id as group_id, a.name, a.role_id,
  coalesce((select h.permissions from service_account_permissions h where h.service_account_id = a.id), a.permissions)
    as permissions,
  a.active, (select count(*) from api_keys k where k.service_account_id = a.id) as key_count, a.created_at, a.updated_at, a.etag::text as etag`;

/** Read after a write: within one statement the view shows what was there before. */
const readServiceAccount = (tx: Db, id: string) =>
  tx.one<ServiceAccount>(sql`select ${columns} from service_accounts a where a.id = ${id}`);

export async function insertServiceAccount(tx: Db, row: NewServiceAccount): Promise<ServiceAccount> {
  await tx.run(sql`
    insert into service_accounts (id, tenant_id, workspace_id, name, role_id, permissions)
    values (${row.id}, ${row.tenant_id}, ${row.workspace_id}, ${row.name}, ${row.role_id}, ${[...row.permissions]})`);
  return readServiceAccount(tx, row.id);
}

export const listServiceAccounts = (db: Db, workspace_id: string) =>
  db.rows<ServiceAccount>(sql`
    select ${columns} from service_accounts a where a.workspace_id = ${workspace_id} order by a.name, a.id`);

/** `share` keeps it from changing until the transaction ends, `update` also waits for those who look at it that way. */
export const lockServiceAccount = (tx: Db, workspace_id: string, id: string, strength: 'share' | 'update') =>
  tx.row<ServiceAccount>(sql`
    select ${columns} from service_accounts a where a.workspace_id = ${workspace_id} and a.id = ${id}
    ${strength === 'share' ? sql`for share of a` : sql`for update of a`}`);

export async function updateServiceAccount(
  tx: Db,
  row: Pick<ServiceAccount, 'id' | 'name' | 'role_id' | 'permissions' | 'active'>,
): Promise<ServiceAccount> {
  await tx.run(sql`
    update service_accounts set name = ${row.name}, role_id = ${row.role_id}, permissions = ${row.permissions},
      active = ${row.active}, updated_at = now()
    where id = ${row.id}`);
  return readServiceAccount(tx, row.id);
}

/** Its keys go with it. */
export const deleteServiceAccount = (tx: Db, id: string) => tx.run(sql`delete from service_accounts where id = ${id}`);

export const countAccountsWithRole = async (tx: Db, tenant_id: string, role_id: string) =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*) as count from service_accounts where tenant_id = ${tenant_id} and role_id = ${role_id}`)
  ).count;
