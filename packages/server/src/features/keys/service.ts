import { conflict, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import type { ApiKey, ApiKeyCreate, Me } from '@atrium/contract/keys/schema.ts';
import { allows, organizationPermissions, type Permission } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { newId } from '../../lib/ids.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Workspaces } from '../workspaces/service.ts';
import { hashOf, keyHint, newKeyValue } from './key-value.ts';
import type { RoleLookup } from './ports.ts';
import * as store from './store.ts';

/** The keys that have a role, as the feature of roles needs them. */
export const roleHolders = { count: store.countKeysWithRole, setPermissions: store.setPermissionsOfRole };

export {
  acceptAdminKey,
  makeAdminKey,
  markAdminKeyDisplayed,
  releaseAdminKey,
  renewUndisplayedAdminKey,
} from './admin-key.ts';

/** The API keys of workspaces. */
export interface Keys {
  /** The key that the caller uses. */
  me(scope: Scope): Promise<Me>;
  list(scope: Scope, group_id: string): Promise<ApiKey[]>;
  create(scope: Scope, group_id: string, input: ApiKeyCreate): Promise<ApiKey>;
  revoke(scope: Scope, group_id: string, id: string): Promise<void>;
  /** Issues a new value with the same permissions. The old value works for the overlap, so that no caller is cut off. */
  rotate(scope: Scope, group_id: string, id: string, overlap_seconds: number): Promise<ApiKey>;
}

/** A caller can grant only permissions that it holds itself. */
function requireHeld(scope: Scope, wanted: readonly Permission[]): void {
  const beyond = wanted.filter((permission) => !allows(scope.permissions, permission));
  if (beyond.length) throw forbidden(`A key can't grant what it does not hold: ${beyond.join(', ')}`);
}

/** The permissions of a new key without a role: the requested ones. */
function grantedPermissions(scope: Scope, { tenant_admin, permissions }: ApiKeyCreate): Permission[] {
  if (tenant_admin && permissions !== undefined && !permissions.includes('org:admin'))
    throw invalid(
      ['body', 'permissions'],
      'a tenant_admin key always holds org:admin; leave permissions out',
      permissions,
    );
  const wanted: Permission[] = tenant_admin ? ['org:admin'] : [...new Set(permissions ?? ['workspace_admin' as const])];
  requireHeld(scope, wanted);
  if (!tenant_admin && wanted.includes('org:admin'))
    throw invalid(['body', 'permissions'], 'org:admin goes with tenant_admin: true', wanted);
  return wanted;
}

/** A session in place of a key, for clients that ask what they may do. */
const describeSession = ({ actor, workspace_id, tenant_id, tenant_admin, permissions }: Scope): Me => ({
  ...{ id: actor.id, name: actor.name, group_id: workspace_id, tenant_id, tenant_admin, permissions: [...permissions] },
  ...{ role_id: null, rate_limit: null, value: 'session', expires_at: null, last_used_at: null },
  created_at: new Date().toISOString(),
});

/** Permissions come from one source: a role, a list, or being a system key. */
function requireOneSource({ tenant_admin, permissions, role_id }: ApiKeyCreate): void {
  if (permissions !== undefined)
    throw invalid(['body', 'role_id'], 'give either role_id or permissions, not both', role_id);
  if (tenant_admin) throw invalid(['body', 'role_id'], 'a tenant_admin key holds org:admin and takes no role', role_id);
}

export function makeKeys(deps: { db: Database; notifier: Notifier; workspaces: Workspaces; roles: RoleLookup }): Keys {
  const { db, notifier, workspaces, roles } = deps;

  /** The permissions of a new key with a role. */
  async function permissionsOfRole(tx: Db, scope: Scope, workspace_id: string, role_id: string) {
    const permissions = await roles.lockPermissions(tx, scope.tenant_id, workspace_id, role_id);
    requireHeld(scope, permissions);
    if (permissions.includes('org:admin'))
      throw invalid(['body', 'role_id'], 'this role holds org:admin, which goes with tenant_admin: true', role_id);
    return permissions;
  }

  async function find(workspace_id: string, id: string) {
    const key = await store.findKey(db, workspace_id, id);
    if (!key) throw notFound('API key');
    return key;
  }

  /** Makes the row of a new key with its value, which is shown only once. */
  function issue(
    scope: Scope,
    key: Pick<
      store.NewKey,
      'workspace_id' | 'name' | 'tenant_admin' | 'permissions' | 'role_id' | 'expires_at' | 'rate_limit' | 'line'
    >,
  ) {
    const value = newKeyValue();
    const row = { ...key, id: newId(), tenant_id: scope.tenant_id, hash: hashOf(value), hint: keyHint(value) };
    return { value, row };
  }

  return {
    async me(scope) {
      if (scope.actor.kind === 'person') return describeSession(scope);
      const key = await store.findKey(db, scope.home_workspace_id, scope.actor.id);
      if (!key) throw notFound('API key');
      return { ...omit(key, ['from_environment', 'line']), tenant_id: scope.tenant_id };
    },

    async list(scope, group_id) {
      return store.listKeys(db, await workspaces.reach(scope, group_id));
    },

    async create(scope, group_id, input) {
      const workspace_id = await workspaces.reach(scope, group_id);
      const role_id = input.role_id ?? null;
      if (role_id !== null) requireOneSource(input);
      const expires_at = input.expires_at ?? null;
      if (expires_at !== null && Date.parse(expires_at) <= Date.now())
        throw invalid(['body', 'expires_at'], 'expires_at should be in the future', expires_at);
      // A key with a rate limit can't create a faster one.
      const limits = [input.rate_limit, scope.rate_limit].filter((limit) => limit != null);
      const rate_limit = limits.length ? Math.min(...limits) : null;
      return db.transaction(scope, async (tx) => {
        const permissions =
          role_id === null
            ? grantedPermissions(scope, input)
            : await permissionsOfRole(tx, scope, workspace_id, role_id);
        const { value, row } = issue(scope, { ...input, workspace_id, permissions, role_id, expires_at, rate_limit });
        return { ...(await store.insertKey(tx, row)), value };
      });
    },

    async revoke(scope, group_id, id) {
      const workspace_id = await workspaces.reach(scope, group_id);
      const key = await find(workspace_id, id);
      if (key.from_environment) throw conflict('This key is set by ATRIUM_ADMIN_KEY; change it there');
      if (key.tenant_admin && !scope.tenant_admin) throw forbidden('Only a system key can revoke a system key');
      const beyond = organizationPermissions.filter(
        (permission) => key.permissions.includes(permission) && !allows(scope.permissions, permission),
      );
      if (beyond.length) throw forbidden(`Revoking this key takes what it holds: ${beyond.join(', ')}`);
      if (key.tenant_admin && id === scope.actor.id)
        throw conflict('A system key does not revoke itself; use another one');
      await db.transaction(scope, async (tx) => {
        await store.deleteKey(tx, workspace_id, id);
        await notifier.notify(tx, 'keys', id);
      });
      notifier.notifyLocal('keys', id);
    },

    async rotate(scope, group_id, id, overlap_seconds) {
      const workspace_id = await workspaces.reach(scope, group_id);
      const key = await find(workspace_id, id);
      if (key.from_environment) throw conflict('This key is set by ATRIUM_ADMIN_KEY; change it there');
      if (key.expires_at !== null && Date.parse(key.expires_at) <= Date.now()) throw conflict('This key has run out');
      const holdsMore = (permissions: readonly Permission[]) =>
        permissions.some((permission) => !allows(scope.permissions, permission));
      const faster = scope.rate_limit != null && (key.rate_limit ?? Number.POSITIVE_INFINITY) > scope.rate_limit;
      const rotated = await db.transaction(scope, async (tx) => {
        const permissions =
          key.role_id === null
            ? key.permissions
            : await roles.lockPermissions(tx, scope.tenant_id, workspace_id, key.role_id);
        if (holdsMore(permissions) || faster)
          throw forbidden("A key can't rotate one that holds more than it does itself");
        const { value, row } = issue(scope, { ...key, permissions, workspace_id, line: key.line ?? key.id });
        const inserted = await store.insertKey(tx, row);
        await store.expireKey(tx, workspace_id, id, overlap_seconds);
        await notifier.notify(tx, 'keys', id);
        return { ...inserted, value };
      });
      notifier.notifyLocal('keys', id);
      return rotated;
    },
  };
}
