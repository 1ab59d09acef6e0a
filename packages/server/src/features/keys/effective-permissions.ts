import { allows, type Permission } from '@atrium/contract/permissions.ts';

/**
 * What both a key and its owner hold. A permission that includes others counts as those that the other side has, so that
 * workspace_admin and agents_run give agents_run.
 */
export function intersectPermissions(key: readonly Permission[], owner: readonly Permission[]): Permission[] {
  const [ofKey, ofOwner] = [new Set(key), new Set(owner)];
  const held = key.filter((permission) => allows(ofOwner, permission));
  const narrowed = owner.filter((permission) => !ofKey.has(permission) && allows(ofKey, permission));
  return [...held, ...narrowed];
}
