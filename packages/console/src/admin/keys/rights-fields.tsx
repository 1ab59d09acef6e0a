import type { Permission } from '@atrium/contract/permissions.ts';
import { useMay } from '../../api/session.ts';
import { keyTexts as words } from '../../text/admin/keys.ts';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { PermissionBoxes } from '../roles/permission-boxes.tsx';
import { usePermissions, useRoleOptions } from '../shared/queries.ts';

export interface ChosenRights {
  by: 'role' | 'permissions';
  role: string;
  held: ReadonlySet<string>;
}

/** The rights as requests name them. */
export const rightsBody = ({ by, role, held }: ChosenRights) =>
  by === 'role' ? { role_id: role } : { permissions: [...held] as Permission[] };

export const rightsFault = ({ by, role, held }: ChosenRights) =>
  (by === 'role' ? role === '' : held.size === 0) && words.needRights;

interface RightsFieldsProps {
  rights: ChosenRights;
  workspace: string;
  error: string | undefined;
  onChange: (rights: ChosenRights) => void;
}

/** What a key or a service account may do: by a role, or one by one. Only what the person may do can be given. */
export function RightsFields({ rights, workspace, error, onChange }: RightsFieldsProps) {
  const may = useMay();
  const roles = useRoleOptions(workspace);
  const permissions = (usePermissions().data ?? []).filter(
    ({ id, scope }) => scope === 'workspace' && may(id, 'workspace_admin'),
  );
  return (
    <>
      <Field label={words.by} group {...(rights.by === 'permissions' && { error })}>
        <Segmented
          label={words.by}
          value={rights.by}
          options={(['role', 'permissions'] as const).map((value) => ({ value, label: words.byOptions[value] }))}
          onChange={(by) => onChange({ ...rights, by })}
        />
      </Field>
      {rights.by === 'role' ? (
        <Field label={words.role} help={words.roleHelp} error={error}>
          <Select value={rights.role} empty="" options={roles} onChange={(role) => onChange({ ...rights, role })} />
        </Field>
      ) : (
        <PermissionBoxes
          permissions={permissions}
          held={rights.held}
          onChange={(held) => onChange({ ...rights, held })}
        />
      )}
    </>
  );
}
