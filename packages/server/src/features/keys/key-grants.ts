import { conflict, forbidden, invalid } from '@atrium/contract/errors.ts';
import type { ApiKeyCreate } from '@atrium/contract/keys/schema.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import type { RoleLookup } from './ports.ts';

/** A caller can grant only permissions that it holds itself. */
export function requireHeld(scope: Scope, wanted: readonly Permission[]): void {
  const beyond = wanted.filter((permission) => !allows(scope.permissions, permission));
  if (beyond.length) throw forbidden(`A key can't grant what it does not hold: ${beyond.join(', ')}`);
}

/** Permissions from a list, for a key that is no system key. */
export function permissionsOfList(scope: Scope, permissions: readonly Permission[]): Permission[] {
  const wanted = [...new Set(permissions)];
  requireHeld(scope, wanted);
  if (wanted.includes('org:admin'))
    throw invalid(['body', 'permissions'], 'org:admin goes with tenant_admin: true', wanted);
  return wanted;
}

/** The permissions of a new key without a role: the requested ones. */
export function grantedPermissions(scope: Scope, { tenant_admin, permissions }: ApiKeyCreate): Permission[] {
  if (!tenant_admin) return permissionsOfList(scope, permissions ?? ['workspace_admin']);
  if (permissions !== undefined && !permissions.includes('org:admin'))
    throw invalid(
      ['body', 'permissions'],
      'a tenant_admin key always holds org:admin; leave permissions out',
      permissions,
    );
  requireHeld(scope, ['org:admin']);
  return ['org:admin'];
}

/** Permissions come from one source: a role, a list, or being a system key. */
export function requireOneSource({
  tenant_admin,
  permissions,
  role_id,
}: Partial<Pick<ApiKeyCreate, 'tenant_admin' | 'permissions' | 'role_id'>>): void {
  if (permissions !== undefined)
    throw invalid(['body', 'role_id'], 'give either role_id or permissions, not both', role_id);
  if (tenant_admin) throw invalid(['body', 'role_id'], 'a tenant_admin key holds org:admin and takes no role', role_id);
}

/** The permissions of a key that gets a role. */
export async function permissionsOfRole(
  { tx, roles }: { tx: Db; roles: RoleLookup },
  scope: Scope,
  workspace_id: string,
  role_id: string,
): Promise<Permission[]> {
  const permissions = await roles.lockPermissions(tx, scope.tenant_id, workspace_id, role_id);
  requireHeld(scope, permissions);
  if (permissions.includes('org:admin'))
    throw invalid(['body', 'role_id'], 'this role holds org:admin, which goes with tenant_admin: true', role_id);
  return permissions;
}

export function requireFutureEnd(expires_at: string | null): void {
  if (expires_at !== null && Date.parse(expires_at) <= Date.now())
    throw invalid(['body', 'expires_at'], 'expires_at should be in the future', expires_at);
}

export function requireNotOfEnvironment({ from_environment }: { from_environment: boolean }): void {
  if (from_environment) throw conflict('This key is set by ATRIUM_ADMIN_KEY; change it there');
}

/** Requests a minute and open event streams of a key; null: as the server says. */
export type KeyLimits = Record<'rate_limit' | 'stream_limit', number | null>;
type GivenLimits = { [field in keyof KeyLimits]?: number | null | undefined };
const limitFields = ['rate_limit', 'stream_limit'] as const;

/** The limits that hold for every caller without its own; 0: none. */
export type ServerLimits = Readonly<Record<keyof KeyLimits, number>>;

const isAbove = (limit: number | null, most: number | null | undefined) =>
  most != null && (limit ?? Number.POSITIVE_INFINITY) > most;

/** The limits of a new key: the given ones, at most those of its maker. */
export const limitsOfNewKey = (scope: Scope, given: GivenLimits): KeyLimits => {
  const lower = (field: keyof KeyLimits) => {
    const known = [given[field], scope[field]].filter((limit) => limit != null);
    return known.length ? Math.min(...known) : null;
  };
  return { rate_limit: lower('rate_limit'), stream_limit: lower('stream_limit') };
};

/** Only administrators of the organization give a key more than the server gives every caller. */
export function requireGrantableLimits(scope: Scope, server: ServerLimits, given: GivenLimits): void {
  if (scope.tenant_admin) return;
  for (const field of limitFields)
    if (given[field] && server[field] > 0 && given[field] > server[field])
      throw forbidden(
        `Only an administrator of the organization gives a key a higher ${field} than that of the server: ${server[field]}`,
      );
}

/** Whether a key holds a permission, or has a higher limit, than the caller. */
export const holdsMore = (scope: Scope, key: { permissions: readonly Permission[] } & KeyLimits) =>
  key.permissions.some((permission) => !allows(scope.permissions, permission)) ||
  limitFields.some((field) => isAbove(key[field], scope[field]));
