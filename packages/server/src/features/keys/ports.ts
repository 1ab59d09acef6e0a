import type { Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';

/** The people of a tenant, as keys need them. */
export interface PeopleLookup {
  /** The names of people by their ids. */
  names(on: Db, tenant_id: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** When the account of a person was made. */
  createdAt(on: Db, tenant_id: string, id: string): Promise<string | undefined>;
  /** Whether a person is active; the account does not change until the transaction ends. */
  lockActive(tx: Db, tenant_id: string, id: string): Promise<boolean>;
}

/** Looks up the roles that keys can have. */
export interface RoleLookup {
  /**
   * The permissions of a role that a workspace has, locked until the transaction ends so that a change of the role finds
   * the key. A role that does not exist or is another workspace's fails as not found.
   */
  lockPermissions(tx: Db, tenant_id: string, workspace_id: string, role_id: string): Promise<Permission[]>;
}
