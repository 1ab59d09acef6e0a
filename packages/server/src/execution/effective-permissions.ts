import { allows, allPermissions, type Permission } from '@atrium/contract/permissions.ts';
import type { Scope } from '../lib/scope.ts';

/** The permissions of the author of a definition; null for a definition that is older than this rule. */
export type Rights = readonly Permission[] | null;

/**
 * A run executes a definition for the actor that started it, so its permissions are those that both have: the actor
 * and the author of the definition.
 */
export function within(scope: Scope, rights: Rights): Scope {
  if (rights === null) return scope;
  const held = new Set(rights);
  const both = allPermissions.filter((one) => allows(scope.permissions, one) && allows(held, one));
  return { ...scope, permissions: new Set(both), tenant_admin: scope.tenant_admin && held.has('org:admin') };
}

/** The permissions of an unchanged definition: a caller that holds at least as many becomes its author. */
export function renewDefinitionPermissions(rights: Rights, scope: Scope): readonly Permission[] {
  const own = [...scope.permissions];
  return rights === null || rights.every((one) => allows(scope.permissions, one)) ? own : rights;
}
