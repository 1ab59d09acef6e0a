import { forbidden } from '@atrium/contract/errors.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import type { Scope } from '../../lib/scope.ts';

/** The permissions of these that the caller does not hold. */
export const permissionsBeyond = (scope: Scope, wanted: readonly Permission[]) =>
  wanted.filter((permission) => !allows(scope.permissions, permission));

/** A caller can give only what it holds itself. */
export function requireHeld(scope: Scope, permissions: readonly Permission[]): void {
  const more = permissionsBeyond(scope, permissions);
  if (more.length) throw forbidden(`A role can be given only by a caller that holds all of it: ${more.join(', ')}`);
}
