import { conflict, InvalidRequest, invalid, notFound } from '@atrium/contract/errors.ts';
import { keysOf } from '@atrium/contract/keys-of.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import {
  type PermissionFlags,
  permissionsOf,
  type Role,
  type RoleCreate,
  type RolePatch,
} from '@atrium/contract/roles/schema.ts';
import { type Database, type Db, isDuplicate } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Workspaces } from '../workspaces/service.ts';
import type { RoleHolders } from './ports.ts';
import * as store from './store.ts';

export { insertDefaultRoles } from './default-roles.ts';
export { findGrantableRoles, findRolesOfWorkspace } from './store.ts';

/** The roles of a tenant. */
export interface Roles {
  list(scope: Scope): Promise<Role[]>;
  get(scope: Scope, id: string): Promise<Role>;
  create(scope: Scope, input: RoleCreate): Promise<Role>;
  update(scope: Scope, id: string, patch: RolePatch): Promise<Role>;
  remove(scope: Scope, id: string): Promise<void>;
  /** The permissions that a role gives to keys of a workspace; they do not change until the transaction ends. */
  lockPermissions(tx: Db, tenant_id: string, workspace_id: string, id: string): Promise<Permission[]>;
  /** The same for members of a workspace, who can have no role of the organization. */
  lockForMembers(tx: Db, tenant_id: string, workspace_id: string, id: string): Promise<Permission[]>;
  /** The name and the permissions of every role, by its id. */
  summaries(on: Db, tenant_id: string): Promise<ReadonlyMap<string, { name: string; permissions: Permission[] }>>;
  /** The id of a default role. */
  findDefault(on: Db, tenant_id: string, name: string): Promise<string | undefined>;
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
  const strange = keysOf(flags).filter((name) => !permissionsOf[scope].includes(name));
  if (strange.length)
    throw new InvalidRequest(
      strange.map((name) => {
        const error = `${name} is not a permission of the scope ${scope}`;
        const input = flags[name];
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

interface Needs {
  db: Database;
  notifier: Notifier;
  workspaces: Workspaces;
  holders: RoleHolders;
}

export function makeRoles({ db, notifier, workspaces, holders }: Needs): Roles {
  async function lockOwn(tx: Db, scope: Scope, id: string): Promise<store.RoleRow> {
    const role = await store.lockRole(tx, scope.tenant_id, id, 'update');
    if (!role) throw notFound('role');
    if (role.is_default) throw conflict('A default role can not be changed; make one of your own beside it');
    return role;
  }

  async function lockUsable(tx: Db, tenant_id: string, workspace_id: string, id: string): Promise<store.RoleRow> {
    const role = await store.lockRole(tx, tenant_id, id, 'share');
    if (!role || (role.group_id !== null && role.group_id !== workspace_id)) throw notFound('role');
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
        db.write(scope, async (on) => {
          const made = shown(await store.insertRole(on, scope.tenant_id, row));
          scope.audit?.note({ after: made, target: { kind: 'role', id: row.id, name: row.name } });
          return made;
        }),
      );
    },

    async update(scope, id, patch) {
      const updated = await uniquely(patch.name ?? '', () =>
        db.transaction(scope, async (tx) => {
          const before = await lockOwn(tx, scope, id);
          const permissions = permissionsAfter(before.scope, patch.permissions ?? {}, before.permissions);
          const isGivenAll = permissions.includes('org:admin') && !before.permissions.includes('org:admin');
          const held = isGivenAll && (await holders.count(tx, scope.tenant_id, id));
          if (held || (isGivenAll && (await holders.countAccounts(tx, scope.tenant_id, id))))
            throw conflict('API keys have this role, and org:admin is for system keys alone', 'role_in_use');
          const row = await store.updateRole(tx, scope.tenant_id, {
            id,
            name: patch.name ?? before.name,
            description: patch.description ?? before.description,
            permissions,
          });
          scope.audit?.note({ before, after: row, target: { kind: 'role', id, name: row.name } });
          await holders.setPermissions(tx, scope.tenant_id, id, permissions);
          await notifier.notify(tx, 'keys');
          return shown(row);
        }),
      );
      notifier.notifyLocal('keys');
      return updated;
    },

    async remove(scope, id) {
      await db.transaction(scope, async (tx) => {
        await lockOwn(tx, scope, id);
        const keys = await holders.count(tx, scope.tenant_id, id);
        if (keys)
          throw conflict(
            `${keys} API ${keys === 1 ? 'key has' : 'keys have'} this role; revoke them first`,
            'role_in_use',
          );
        const accounts = await holders.countAccounts(tx, scope.tenant_id, id);
        if (accounts)
          throw conflict(
            `${accounts} service ${accounts === 1 ? 'account has' : 'accounts have'} this role; give them another first`,
            'role_in_use',
          );
        const members = await holders.countMembers(tx, scope.tenant_id, id);
        if (members)
          throw conflict(
            `${members} ${members === 1 ? 'member' : 'members'} of workspaces (people or user groups) ${members === 1 ? 'has' : 'have'} this role; give them another first`,
            'role_in_use',
          );
        await store.deleteRole(tx, scope.tenant_id, id);
      });
    },

    lockPermissions: async (...asked) => (await lockUsable(...asked)).permissions,

    async lockForMembers(tx, tenant_id, workspace_id, id) {
      const { scope, permissions } = await lockUsable(tx, tenant_id, workspace_id, id);
      // Also one without permissions: it may get some later.
      if (scope === 'organization')
        throw invalid(['body', 'role_id'], 'this is a role of the organization; choose one of a workspace', id);
      return permissions;
    },

    summaries: async (on, tenant_id) =>
      new Map((await store.listRoles(on, tenant_id)).map(({ id, name, permissions }) => [id, { name, permissions }])),

    findDefault: async (on, tenant_id, name) =>
      (await store.listRoles(on, tenant_id)).find((role) => role.is_default && role.name === name)?.id,
  };
}
