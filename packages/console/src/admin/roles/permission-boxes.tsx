import { roleTexts as words } from '../../text/admin/roles.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { bySection, type PermissionEntry, withIncluded } from './held-permissions.ts';

interface PermissionBoxesProps {
  permissions: readonly PermissionEntry[];
  held: ReadonlySet<string>;
  onChange: (held: Set<string>) => void;
  disabled?: boolean;
}

/** Permissions in words under their headings. What another one includes is ticked and can't be taken off by itself. */
export function PermissionBoxes({ permissions, held, onChange, disabled }: PermissionBoxesProps) {
  const all = withIncluded(held, permissions);
  const toggle = (id: string, on: boolean) => {
    const next = new Set(held);
    if (on) next.add(id);
    else next.delete(id);
    onChange(next);
  };
  return (
    <div className="grid gap-x-8 gap-y-5 phone:grid-cols-2">
      {bySection(permissions).map(([section, entries]) => (
        <fieldset key={section} className="flex min-w-0 flex-col gap-2">
          <legend className="mb-1.5 text-label font-semibold">{section}</legend>
          {entries.map(({ id, label, help, includes }) => (
            <Checkbox
              key={id}
              label={label}
              help={includes.length > 0 ? `${help} ${words.includes}.` : help}
              checked={all.has(id)}
              disabled={disabled || (all.has(id) && !held.has(id))}
              onChange={(on) => toggle(id, on)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}
