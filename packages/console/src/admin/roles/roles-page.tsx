import type { ItemOf } from '@atrium/sdk';
import { useNavigate } from '@tanstack/react-router';
import { MoreHorizontal, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { roleTexts as words } from '../../text/admin/roles.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { usePermissions, useRoles, useWorkspaces } from '../shared/queries.ts';
import { Card, SectionPage } from '../shared/section-page.tsx';
import { type Column, Named, Table } from '../shared/table.tsx';
import { useRefresh, useRefusals } from '../shared/use-admin.ts';
import { RoleMark } from './role-mark.tsx';

const RoleEditor = lazyPart(() => import('./role-editor.tsx').then((file) => ({ default: file.RoleEditor })));
const GiveRole = lazyPart(() => import('./give-role.tsx').then((file) => ({ default: file.GiveRole })));
export type Role = ItemOf<'roles.list'>;
type Opened = { kind: 'new' } | { kind: 'edit' | 'copy' | 'give' | 'remove'; role: Role };

/** The sections of permissions that have a column of their own; the editor shows all. */
const shownSections = ['Agents', 'Workflows', 'Knowledge bases', 'Tables', 'Variables'];

/** Roles, with how much each holds of what; the editor has every permission in words. */
export function RolesPage() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const navigate = useNavigate();
  const query = useRoles();
  const permissions = usePermissions();
  const workspaces = useWorkspaces().data ?? [];
  const { ofOrganization } = useRefusals();
  const { refresh } = useRefresh('roles');
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const placeOf = ({ scope, group_id }: Role) =>
    scope === 'organization'
      ? words.organization
      : group_id === null
        ? words.everyWorkspace
        : (workspaces.find(({ id }) => id === group_id)?.name ?? group_id);
  const marks = shownSections.map(
    (section): Column<Role> => ({
      label: section,
      cell: (role) => <RoleMark role={role} section={section} permissions={permissions.data ?? []} />,
    }),
  );
  return (
    <SectionPage
      section="roles"
      guide="keys-and-roles"
      actions={
        <Button
          look="primary"
          icon={<Plus size={15} aria-hidden />}
          refused={ofOrganization}
          onClick={() => setOpened({ kind: 'new' })}
        >
          {words.make}
        </Button>
      }
    >
      <Card title={words.title} help={words.help}>
        <Loaded query={query} rows={6}>
          {(roles) => (
            <Table
              label={words.title}
              rows={roles}
              keyOf={(role) => role.id}
              columns={[
                {
                  label: words.name,
                  isName: true,
                  cell: (role) => (
                    <Named name={role.name} below={role.description || placeOf(role)}>
                      {role.is_default && <Chip>{words.builtIn}</Chip>}
                    </Named>
                  ),
                },
                { label: words.where, cell: placeOf },
                ...marks,
                {
                  label: adminTexts.more(''),
                  isBare: true,
                  cell: (role) => (
                    <Menu
                      trigger={<IconButton label={adminTexts.more(role.name)} icon={<MoreHorizontal size={16} />} />}
                      groups={[
                        [
                          {
                            label: role.may?.edit ? words.change : words.look,
                            onSelect: () => setOpened({ kind: 'edit', role }),
                          },
                          { label: words.copy, onSelect: () => setOpened({ kind: 'copy', role }) },
                        ],
                        role.scope === 'workspace'
                          ? [
                              { label: words.give, onSelect: () => setOpened({ kind: 'give', role }) },
                              {
                                label: words.toKey,
                                onSelect: () =>
                                  void navigate({
                                    to: '/w/$w/admin/$section',
                                    params: { w, section: 'keys' },
                                    search: { role: role.id },
                                  }),
                              },
                            ]
                          : [],
                        [
                          {
                            ...{ label: words.remove, danger: true, refused: !role.may?.delete && words.fixed },
                            onSelect: () => setOpened({ kind: 'remove', role }),
                          },
                        ],
                      ]}
                    />
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Card>
      <Suspense>
        {opened?.kind === 'new' && <RoleEditor onClose={close} />}
        {opened?.kind === 'edit' && <RoleEditor role={opened.role} onClose={close} />}
        {opened?.kind === 'copy' && <RoleEditor from={opened.role} onClose={close} />}
        {opened?.kind === 'give' && <GiveRole role={opened.role} onClose={close} />}
      </Suspense>
      {opened?.kind === 'remove' && (
        <Confirm
          open
          onClose={close}
          title={words.removeTitle(opened.role.name)}
          help={words.removeHelp}
          action={words.removeAction}
          onConfirm={async () => {
            await client.roles.delete(opened.role.id);
            await refresh();
            sayToast({ text: words.removed });
          }}
        />
      )}
    </SectionPage>
  );
}
