import { allows, allPermissions, type Permission } from './permissions.ts';
import type { Scope } from './scope.ts';

/** What whoever answers for a definition was allowed to; null for one that is older than this rule. */
export type Rights = readonly Permission[] | null;

/** What both may: the one in whose name something is done, and the one who wrote what is done. */
export function within(scope: Scope, rights: Rights): Scope {
  if (rights === null) return scope;
  const held = new Set(rights);
  const both = allPermissions.filter((one) => allows(scope.permissions, one) && allows(held, one));
  return { ...scope, permissions: new Set(both), tenant_admin: scope.tenant_admin && held.has('org:admin') };
}
