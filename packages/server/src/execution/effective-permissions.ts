import { allows, allPermissions, type Permission } from '@atrium/contract/permissions.ts';
import type { Scope } from '../lib/scope.ts';

/** What whoever answers for a definition was allowed to; null for one that is older than this rule. */
export type Rights = readonly Permission[] | null;

/**
 * A run does what its definition says in the name of whoever started it, so it may do no more than either of the two:
 * the one who started it, and the one who answers for what is run.
 */
export function within(scope: Scope, rights: Rights): Scope {
  if (rights === null) return scope;
  const held = new Set(rights);
  const both = allPermissions.filter((one) => allows(scope.permissions, one) && allows(held, one));
  return { ...scope, permissions: new Set(both), tenant_admin: scope.tenant_admin && held.has('org:admin') };
}

/** The rights of a definition that stays as it was: whoever may do as much or more answers for it from now on. */
export function renewDefinitionPermissions(rights: Rights, scope: Scope): readonly Permission[] {
  const own = [...scope.permissions];
  return rights === null || rights.every((one) => allows(scope.permissions, one)) ? own : rights;
}
