import type { Permission } from '@atrium/contract/permissions.ts';
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

export const insertServiceAccount = (tx: Db, row: NewServiceAccount) =>
  tx.run(sql`
    insert into service_accounts (id, tenant_id, workspace_id, name, role_id, permissions)
    values (${row.id}, ${row.tenant_id}, ${row.workspace_id}, ${row.name}, ${row.role_id}, ${[...row.permissions]})`);
