import { forbidden } from '@atrium/contract/errors.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { RoleLookup } from '../ports.ts';
import { listRoleIdsOfGroup, listRolesOfPeople } from '../rights-store.ts';
import { isAdopting } from './token-store.ts';

const administration: readonly Permission[] = ['workspace_admin', 'org:admin'];

/** Protects the people and user groups that administer the organization or a workspace. */
export interface Administrators {
  /** Whether one of these people does. A deactivated administrator counts: activated again, they hold the same. */
  includes(tx: Db, tenant_id: string, people: readonly string[]): Promise<boolean>;
  includesGroup(tx: Db, tenant_id: string, user_group_id: string): Promise<boolean>;
  /** A token that adopts changes no administrator: it could take over any account that it knows the address of. */
  requireChangeable(tx: Db, scope: Scope, people: readonly string[]): Promise<void>;
  /** The same for the membership of people in a group that has a role in a workspace. */
  requireMovable(tx: Db, scope: Scope, user_group_id: string, people: readonly string[]): Promise<void>;
}

export function makeAdministrators(roles: Pick<RoleLookup, 'summaries'>): Administrators {
  async function giveAdministration(tx: Db, tenant_id: string, role_ids: readonly string[]): Promise<boolean> {
    if (role_ids.length === 0) return false;
    const known = await roles.summaries(tx, tenant_id);
    const held = role_ids.flatMap((id) => known.get(id)?.permissions ?? []);
    return administration.some((permission) => held.includes(permission));
  }

  const includes: Administrators['includes'] = async (tx, tenant_id, people) => {
    const rows = people.length ? await listRolesOfPeople(tx, people) : [];
    const role_ids = rows.flatMap(({ role_id }) => role_id ?? []);
    return rows.some(({ tenant_admin }) => tenant_admin) || giveAdministration(tx, tenant_id, role_ids);
  };

  const requireChangeable: Administrators['requireChangeable'] = async (tx, scope, people) => {
    if (!(await isAdopting(tx, scope.tenant_id, scope.actor.id))) return;
    if (await includes(tx, scope.tenant_id, people))
      throw forbidden(
        'A token that adopts changes no administrator; use a token that does not, or change the person in Atrium',
      );
  };

  return {
    includes,
    includesGroup: async (tx, tenant_id, id) => giveAdministration(tx, tenant_id, await listRoleIdsOfGroup(tx, id)),
    requireChangeable,
    async requireMovable(tx, scope, user_group_id, people) {
      if (people.length === 0 || (await listRoleIdsOfGroup(tx, user_group_id)).length === 0) return;
      await requireChangeable(tx, scope, people);
    },
  };
}
