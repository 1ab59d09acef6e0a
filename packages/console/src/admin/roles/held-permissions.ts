import type { ItemOf } from '@atrium/sdk';

export type PermissionEntry = ItemOf<'permissions.list'>;

/** What a set of permissions lets a caller do: itself, and what each of them includes. */
export function withIncluded(held: ReadonlySet<string>, permissions: readonly PermissionEntry[]): Set<string> {
  const all = new Set(held);
  for (const { id, includes } of permissions) if (held.has(id)) for (const included of includes) all.add(included);
  return all;
}

/** Permissions under the headings that the server gives them, in its order. */
export function bySection(permissions: readonly PermissionEntry[]): [string, PermissionEntry[]][] {
  const sections = new Map<string, PermissionEntry[]>();
  for (const permission of permissions)
    sections.set(permission.section, [...(sections.get(permission.section) ?? []), permission]);
  return [...sections];
}
