import type { Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../../db/database.ts';
import type { RoleLookup } from '../ports.ts';
import { listRoleIdsOfGroup, listRoleIdsOfPerson } from '../rights-store.ts';

const administration: readonly Permission[] = ['workspace_admin', 'org:admin'];

/** Finds the people and user groups that administer the organization or a workspace. */
export interface Administrators {
  /** Also true for an administrator who is deactivated: activated again, they hold the same. */
  isAdministrator(tx: Db, tenant_id: string, person: { id: string; tenant_admin: boolean }): Promise<boolean>;
  isAdministratorGroup(tx: Db, tenant_id: string, user_group_id: string): Promise<boolean>;
}

export function makeAdministrators(roles: Pick<RoleLookup, 'summaries'>): Administrators {
  async function giveAdministration(tx: Db, tenant_id: string, role_ids: readonly string[]): Promise<boolean> {
    if (role_ids.length === 0) return false;
    const known = await roles.summaries(tx, tenant_id);
    const held = role_ids.flatMap((id) => known.get(id)?.permissions ?? []);
    return administration.some((permission) => held.includes(permission));
  }

  return {
    isAdministrator: async (tx, tenant_id, { id, tenant_admin }) =>
      tenant_admin || giveAdministration(tx, tenant_id, await listRoleIdsOfPerson(tx, id)),
    isAdministratorGroup: async (tx, tenant_id, id) =>
      giveAdministration(tx, tenant_id, await listRoleIdsOfGroup(tx, id)),
  };
}
