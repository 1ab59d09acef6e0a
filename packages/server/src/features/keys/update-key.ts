import { conflict, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import type { ApiKeyPatch } from '@atrium/contract/keys/schema.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import {
  holdsMore,
  permissionsOfList,
  permissionsOfRole,
  requireFutureEnd,
  requireNotOfEnvironment,
  requireOneSource,
} from './key-grants.ts';
import { lockNamedOwner } from './key-owners.ts';
import type { PeopleLookup, RoleLookup } from './ports.ts';
import * as store from './store.ts';

/** Refuses a change of a key that the caller could not have made as it is. */
function requireChangeable(scope: Scope, key: store.StoredKey, patch: ApiKeyPatch): void {
  requireNotOfEnvironment(key);
  if (holdsMore(scope, key)) throw forbidden("A caller can't change a key that holds more than it does itself");
  if (key.expires_at !== null && Date.parse(key.expires_at) <= Date.now())
    throw conflict('This key has run out; create another');
  // An end is set against the holder of the key, and a system key must not lock itself out.
  if (patch.expires_at !== undefined && key.id === scope.actor.id)
    throw conflict('A key does not change its own expires_at; use another one');
  if (!key.tenant_admin) return;
  for (const field of ['permissions', 'role_id'] as const)
    if (patch[field] !== undefined) throw invalid(['body', field], 'a system key always holds org:admin', patch[field]);
}

/** The fields of a key after a patch; an empty text and 0 take a limit away. */
function changedLimits(scope: Scope, key: store.StoredKey, patch: ApiKeyPatch) {
  const expires_at = patch.expires_at === undefined ? key.expires_at : patch.expires_at || null;
  if (patch.expires_at !== undefined) requireFutureEnd(expires_at);
  const rate_limit = patch.rate_limit === undefined ? key.rate_limit : patch.rate_limit || null;
  if (holdsMore(scope, { permissions: [], rate_limit }))
    throw forbidden(`A key can't give a higher rate_limit than its own: ${scope.rate_limit}`);
  return { expires_at, rate_limit };
}

/**
 * Changes a key. The role is locked before the key, as a change of a role does, so that the two never wait for each other.
 */
export async function updateKey(
  { tx, roles, people }: { tx: Db; roles: RoleLookup; people: PeopleLookup },
  scope: Scope,
  { workspace_id, id }: { workspace_id: string; id: string },
  patch: ApiKeyPatch,
): Promise<store.KeyRow> {
  if (patch.role_id !== undefined) requireOneSource({ ...patch, tenant_admin: false });
  const ofRole =
    patch.role_id === undefined
      ? undefined
      : await permissionsOfRole({ tx, roles }, scope, workspace_id, patch.role_id);
  const key = await store.lockKey(tx, workspace_id, id);
  if (!key) throw notFound('API key');
  requireChangeable(scope, key, patch);
  const owner = patch.owner
    ? await lockNamedOwner({ tx, people }, scope, { workspace_id, tenant_admin: key.tenant_admin }, patch.owner)
    : key.owner;
  const ofList = patch.permissions && permissionsOfList(scope, patch.permissions);
  return store.updateKey(tx, {
    ...{ workspace_id, id, name: patch.name ?? key.name, ...changedLimits(scope, key, patch) },
    permissions: ofRole ?? ofList ?? key.permissions,
    role_id: patch.role_id ?? (ofList ? null : key.role_id),
    reach: patch.reach ?? key.reach,
    owner,
  });
}
