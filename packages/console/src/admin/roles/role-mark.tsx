import { Check } from 'lucide-react';
import { adminTexts } from '../../text/admin/frame.ts';
import { roleTexts as words } from '../../text/admin/roles.ts';
import { type PermissionEntry, withIncluded } from './held-permissions.ts';
import type { Role } from './roles-page.tsx';

/** How much of a section a role holds: all, some, nothing. */
export function RoleMark(props: { role: Role; section: string; permissions: readonly PermissionEntry[] }) {
  const { role, section, permissions } = props;
  const given = new Set(Object.entries(role.permissions).flatMap(([name, on]) => (on ? [name] : [])));
  const held = withIncluded(given, permissions);
  const all = permissions.filter((entry) => entry.section === section && entry.scope === 'workspace');
  const count = all.filter(({ id }) => held.has(id)).length;
  if (count === 0)
    return (
      <span className="text-text-3">
        <span aria-hidden>{adminTexts.none}</span>
        <span className="sr-only">{words.none}</span>
      </span>
    );
  if (count < all.length) return <span className="num text-text-2">{words.some(count, all.length)}</span>;
  return (
    <span className="text-ok">
      <Check size={15} aria-hidden />
      <span className="sr-only">{words.all}</span>
    </span>
  );
}
