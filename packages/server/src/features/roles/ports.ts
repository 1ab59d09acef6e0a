import type { Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';

/** The API keys and people that have a role. */
export interface RoleHolders {
  count(tx: Db, tenant_id: string, role_id: string): Promise<number>;
  /** The service accounts with the role. */
  countAccounts(tx: Db, tenant_id: string, role_id: string): Promise<number>;
  /** The members of workspaces with the role: people and user groups. */
  countMembers(tx: Db, tenant_id: string, role_id: string): Promise<number>;
  /** Gives every key with the role these permissions in place of its own. */
  setPermissions(tx: Db, tenant_id: string, role_id: string, permissions: readonly Permission[]): Promise<unknown>;
}
