import { conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import type { AllApiKeysQuery, ApiKey, ApiKeyCreate, ApiKeyPatch, Me } from '@atrium/contract/keys/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows, organizationPermissions } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { newId } from '../../lib/ids.ts';
import { omit } from '../../lib/omit.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Workspaces } from '../workspaces/service.ts';
import { intersectPermissions } from './effective-permissions.ts';
import {
  grantedPermissions,
  holdsMore,
  permissionsOfRole,
  requireFutureEnd,
  requireNotOfEnvironment,
  requireOneSource,
} from './key-grants.ts';
import { lockCallerOwner, lockNewOwner, requireRotatable } from './key-owners.ts';
import { hashOf, keyHint, newKeyValue } from './key-value.ts';
import type { PeopleLookup, RoleLookup } from './ports.ts';
import { countAccountsWithRole } from './service-accounts/store.ts';
import * as store from './store.ts';
import { updateKey } from './update-key.ts';

/** Finds a key, and its roles, for other features. */
export { holdsMore } from './key-grants.ts';
export { findKey, findRolesOfKey } from './store.ts';

/** The keys and service accounts that have a role, as the feature of roles needs them. */
export const roleHolders = {
  count: store.countKeysWithRole,
  countAccounts: countAccountsWithRole,
  setPermissions: store.setPermissionsOfRole,
};

export {
  acceptAdminKey,
  makeAdminKey,
  markAdminKeyDisplayed,
  releaseAdminKey,
  renewUndisplayedAdminKey,
} from './admin-key.ts';
export { makeServiceAccounts } from './service-accounts/service-accounts.ts';
export { deleteKeysOfPerson, listKeyIdsOfPerson } from './store.ts';

/** The API keys of workspaces. */
export interface Keys {
  /** The key that the caller uses. */
  me(scope: Scope): Promise<Me>;
  list(scope: Scope, group_id: string): Promise<ApiKey[]>;
  /** The keys of the whole tenant, those that end soonest first. */
  listAll(scope: Scope, query: AllApiKeysQuery): Promise<Paged<ApiKey>>;
  create(scope: Scope, group_id: string, input: ApiKeyCreate): Promise<ApiKey>;
  /** Changes a key that holds no more than the caller, at once on every node. */
  update(scope: Scope, group_id: string, id: string, patch: ApiKeyPatch): Promise<ApiKey>;
  revoke(scope: Scope, group_id: string, id: string): Promise<void>;
  /** Issues a new value with the same permissions. The old value works for the overlap, so that no caller is cut off. */
  rotate(scope: Scope, group_id: string, id: string, overlap_seconds: number): Promise<ApiKey>;
}

/** A session in place of a key, for clients that ask what they may do. */
const describeSession = (
  { actor, workspace_id, tenant_id, tenant_admin, permissions }: Scope,
  created_at: string,
): Me => ({
  ...{ id: actor.id, name: actor.name, group_id: workspace_id, tenant_id, tenant_admin, created_at },
  ...{ permissions: [...permissions], effective_permissions: [...permissions] },
  ...{ role_id: null, rate_limit: null, reach: 'own', value: 'session', expires_at: null, last_used_at: null },
});

const withEffective = ({ owner_permissions, ...key }: store.KeyRow): ApiKey => ({
  ...key,
  effective_permissions: intersectPermissions(key.permissions, owner_permissions),
});

const heldBeyond = (scope: Scope, key: Pick<ApiKey, 'permissions'>) =>
  organizationPermissions.filter(
    (permission) => key.permissions.includes(permission) && !allows(scope.permissions, permission),
  );

/** Whether the caller may revoke a key: a system key does not revoke itself. */
export const mayRevoke = (scope: Scope, key: ApiKey): boolean =>
  heldBeyond(scope, key).length === 0 && (!key.tenant_admin || (scope.tenant_admin && key.id !== scope.actor.id));

/** Who makes a key, for those who look at it later. */
const makerOf = ({ actor: { kind, id, name } }: Scope): ApiKey['created_by'] =>
  kind === 'api_key' || kind === 'person' ? { id, name, kind } : null;

export function makeKeys(deps: {
  db: Database;
  notifier: Notifier;
  workspaces: Workspaces;
  roles: RoleLookup;
  people: PeopleLookup;
}): Keys {
  const { db, notifier, workspaces, roles, people } = deps;

  /** Reads the names of the people who made keys. */
  async function withMakers(on: Db, { tenant_id }: Scope, rows: readonly store.KeyRow[]): Promise<ApiKey[]> {
    const ids = rows.flatMap(({ created_by }) => (created_by?.kind === 'person' ? [created_by.id] : []));
    const names = ids.length ? await people.names(on, tenant_id, [...new Set(ids)]) : new Map<string, string>();
    const nameOf = ({ id, name }: { id: string; name: string }) => names.get(id) ?? name;
    return rows.map(withEffective).map((row) => ({
      ...row,
      created_by: row.created_by && { ...row.created_by, name: nameOf(row.created_by) },
    }));
  }
  const withMaker = async (on: Db, scope: Scope, row: store.KeyRow) =>
    required((await withMakers(on, scope, [row]))[0]);

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
      | 'workspace_id'
      | 'name'
      | 'tenant_admin'
      | 'permissions'
      | 'role_id'
      | 'expires_at'
      | 'rate_limit'
      | 'reach'
      | 'line'
      | 'created_by'
      | 'owner'
      | 'known_to'
    >,
  ) {
    const value = newKeyValue();
    const row = { ...key, id: newId(), tenant_id: scope.tenant_id, hash: hashOf(value), hint: keyHint(value) };
    return { value, row };
  }

  return {
    async me(scope) {
      if (scope.actor.kind === 'person')
        return describeSession(scope, required(await people.createdAt(db, scope.tenant_id, scope.actor.id)));
      const key = await store.findKey(db, scope.home_workspace_id, scope.actor.id);
      if (!key) throw notFound('API key');
      const hidden = ['from_environment', 'line', 'created_by', 'owner', 'etag'] as const;
      return { ...omit(withEffective(key) as ApiKey & store.StoredKey, hidden), tenant_id: scope.tenant_id };
    },

    async list(scope, group_id) {
      return withMakers(db, scope, await store.listKeys(db, await workspaces.reach(scope, group_id)));
    },

    async listAll(scope, query) {
      const window = pageOf(query);
      const { rows, total } = await store.listAllKeys(db, scope.tenant_id, { ...query, ...window });
      return pageAnswer(await withMakers(db, scope, rows), total, window);
    },

    async create(scope, group_id, input) {
      const workspace_id = await workspaces.reach(scope, group_id);
      const role_id = input.role_id ?? null;
      if (role_id !== null) requireOneSource(input);
      const expires_at = input.expires_at ?? null;
      requireFutureEnd(expires_at);
      // A key with a rate limit can't create a faster one.
      const limits = [input.rate_limit, scope.rate_limit].filter((limit) => limit != null);
      const rate_limit = limits.length ? Math.min(...limits) : null;
      return db.transaction(scope, async (tx) => {
        const permissions =
          role_id === null
            ? grantedPermissions(scope, input)
            : await permissionsOfRole({ tx, roles }, scope, workspace_id, role_id);
        const created_by = makerOf(scope);
        const owned = await lockNewOwner({ tx, people }, scope, workspace_id, input);
        const { value, row } = issue(scope, {
          ...input,
          ...{ workspace_id, permissions, role_id, expires_at, rate_limit, created_by, ...owned },
        });
        const made = await store.insertKey(tx, row);
        scope.audit?.note({ target: { kind: 'api_key', id: made.id, name: made.name }, after: made });
        return { ...withEffective(made), value, created_by };
      });
    },

    async update(scope, group_id, id, patch) {
      const workspace_id = await workspaces.reach(scope, group_id);
      await find(workspace_id, id);
      const updated = await db.transaction(scope, async (tx) => {
        const before = await store.findKey(tx, workspace_id, id);
        const row = await updateKey({ tx, roles, people }, scope, { workspace_id, id }, patch);
        scope.audit?.note({ target: { kind: 'api_key', id, name: row.name }, before: before ?? null, after: row });
        await notifier.notify(tx, 'keys', id);
        return withMaker(tx, scope, row);
      });
      notifier.notifyLocal('keys', id);
      return updated;
    },

    async revoke(scope, group_id, id) {
      const workspace_id = await workspaces.reach(scope, group_id);
      const key = await find(workspace_id, id);
      requireNotOfEnvironment(key);
      if (key.tenant_admin && !scope.tenant_admin) throw forbidden('Only a system key can revoke a system key');
      const beyond = heldBeyond(scope, key);
      if (beyond.length) throw forbidden(`Revoking this key takes what it holds: ${beyond.join(', ')}`);
      if (key.tenant_admin && id === scope.actor.id)
        throw conflict('A system key does not revoke itself; use another one');
      await db.transaction(scope, async (tx) => {
        scope.audit?.note({ target: { kind: 'api_key', id, name: key.name }, before: key, after: null });
        await store.deleteKey(tx, workspace_id, id);
        await notifier.notify(tx, 'keys', id);
      });
      notifier.notifyLocal('keys', id);
    },

    async rotate(scope, group_id, id, overlap_seconds) {
      const workspace_id = await workspaces.reach(scope, group_id);
      const key = await find(workspace_id, id);
      requireNotOfEnvironment(key);
      if (key.expires_at !== null && Date.parse(key.expires_at) <= Date.now()) throw conflict('This key has run out');
      requireRotatable(scope, key);
      const rotated = await db.transaction(scope, async (tx) => {
        const permissions =
          key.role_id === null
            ? key.permissions
            : await roles.lockPermissions(tx, scope.tenant_id, workspace_id, key.role_id);
        if (holdsMore(scope, { ...key, permissions }))
          throw forbidden("A key can't rotate one that holds more than it does itself");
        const { known_to } = await lockCallerOwner({ tx, people }, scope);
        const { value, row } = issue(scope, {
          ...key,
          ...{ permissions, workspace_id, line: key.line ?? key.id, known_to },
        });
        const inserted = await store.insertKey(tx, row);
        await store.expireKey(tx, workspace_id, id, overlap_seconds);
        scope.audit?.note({
          target: { kind: 'api_key', id, name: key.name },
          after: { replaced_by: inserted.id, overlap_seconds },
        });
        await notifier.notify(tx, 'keys', id);
        return { ...(await withMaker(tx, scope, inserted)), value };
      });
      notifier.notifyLocal('keys', id);
      return rotated;
    },
  };
}
