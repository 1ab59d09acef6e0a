import type { Owner } from '@atrium/contract/keys/schema.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import { type Sql, sql } from '../db/sql.ts';

/** Why work that has an owner is paused. */
export type PausedReason = 'owner_inactive' | 'owner_lacks_permission';

/** What a row with an owner says of it. */
export interface Owned {
  owner: (Owner & { active: boolean }) | null;
  /** What the owner holds in the workspace now. */
  owner_permissions: Permission[];
  /** Stored when the owner was deactivated: it stays until there is another owner. */
  paused_reason: PausedReason | null;
}

/** The columns of `Owned` for a table with `workspace_id`, `owner_id` and `paused_reason`. */
export const ownedColumns = (table: Sql): Sql => sql`(
    select jsonb_build_object('id', o.id, 'name', o.name, 'kind', o.kind, 'active', o.active)
    from owners o where o.id = ${table}.owner_id) as owner,
  coalesce((select r.permissions from owner_rights r
    where r.owner_id = ${table}.owner_id and r.workspace_id = ${table}.workspace_id), '{}') as owner_permissions,
  ${table}.paused_reason`;

/** Why the work is paused now; null while its owner is active and holds one of these permissions. */
export function pausedReason(
  { owner, owner_permissions, paused_reason }: Owned,
  needed: readonly Permission[],
): PausedReason | null {
  if (paused_reason) return paused_reason;
  if (!owner?.active) return 'owner_inactive';
  const held = new Set(owner_permissions);
  return needed.some((permission) => allows(held, permission)) ? null : 'owner_lacks_permission';
}

/** The owner as answers show it. */
export const shownOwner = ({ owner }: Owned): Owner | null =>
  owner && { id: owner.id, name: owner.name, kind: owner.kind };
