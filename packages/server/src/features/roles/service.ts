import { conflict, InvalidRequest, invalid, notFound } from '@atrium/contract/errors.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import {
  type PermissionFlags,
  permissionsOf,
  type Role,
  type RoleCreate,
  type RolePatch,
} from '@atrium/contract/roles/schema.ts';
import { type Database, isDuplicate } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Workspaces } from '../workspaces/service.ts';
import * as store from './store.ts';

export { insertDefaultRoles } from './default-roles.ts';

/** The roles of a tenant. */
export interface Roles {
  list(scope: Scope): Promise<Role[]>;
  get(scope: Scope, id: string): Promise<Role>;
  create(scope: Scope, input: RoleCreate): Promise<Role>;
  update(scope: Scope, id: string, patch: RolePatch): Promise<Role>;
  remove(scope: Scope, id: string): Promise<void>;
}

const shown = ({ permissions, ...row }: store.RoleRow): Role => ({
  ...row,
  permissions: Object.fromEntries(permissionsOf[row.scope].map((name) => [name, permissions.includes(name)])),
});

/** The permissions of a role after these flags. A permission of another scope is a validation error, not ignored. */
function permissionsAfter(
  scope: Role['scope'],
  flags: PermissionFlags,
  before: readonly Permission[] = [],
): Permission[] {
  const strange = Object.keys(flags).filter((name) => !permissionsOf[scope].includes(name as Permission));
  if (strange.length)
    throw new InvalidRequest(
      strange.map((name) => {
        const error = `${name} is not a permission of the scope ${scope}`;
        const input = flags[name as Permission];
        return {
          loc: ['body', 'permissions', name],
          msg: `Value error, ${error}`,
          type: 'value_error',
          input,
          ctx: { error },
        };
      }),
    );
  return permissionsOf[scope].filter((name) => flags[name] ?? before.includes(name));
}

/** Two roles of one place can't share a name. */
async function uniquely<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isDuplicate(error) ? conflict(`There is already a role named ${name}`) : error;
  }
}

export function makeRoles({ db, workspaces }: { db: Database; workspaces: Workspaces }): Roles {
  async function findOwn(scope: Scope, id: string): Promise<store.RoleRow> {
    const role = await store.findRole(db, scope.tenant_id, id);
    if (!role) throw notFound('role');
    if (role.is_default) throw conflict('A default role can not be changed; make one of your own beside it');
    return role;
  }

  return {
    list: async (scope) => (await store.listRoles(db, scope.tenant_id)).map(shown),

    async get(scope, id) {
      const role = await store.findRole(db, scope.tenant_id, id);
      if (!role) throw notFound('role');
      return shown(role);
    },

    async create(scope, input) {
      const group_id = input.group_id ?? null;
      if (group_id !== null && input.scope === 'organization')
        throw invalid(['body', 'group_id'], 'an organization role belongs to no workspace', group_id);
      if (group_id !== null) await workspaces.get(scope, group_id);
      const permissions = permissionsAfter(input.scope, input.permissions);
      const row = { id: newId(), ...input, group_id, permissions, is_default: false };
      return uniquely(input.name, () =>
        db.write(scope, async (on) => shown(await store.insertRole(on, scope.tenant_id, row))),
      );
    },

    async update(scope, id, patch) {
      const before = await findOwn(scope, id);
      const after = {
        id,
        name: patch.name ?? before.name,
        description: patch.description ?? before.description,
        permissions: permissionsAfter(before.scope, patch.permissions ?? {}, before.permissions),
      };
      return uniquely(after.name, async () => shown(await store.updateRole(db, scope.tenant_id, after)));
    },

    async remove(scope, id) {
      await findOwn(scope, id);
      await store.deleteRole(db, scope.tenant_id, id);
    },
  };
}
