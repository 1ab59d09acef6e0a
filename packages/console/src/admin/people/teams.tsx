import type { ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { MoreHorizontal, Plus, UsersRound } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { teamTexts as words } from '../../text/admin/people.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { usePaged } from '../shared/paged.tsx';
import { Card } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';
import { useRefresh, useRefusals } from '../shared/use-admin.ts';
import { RoleDialog } from './role-dialog.tsx';

const TeamName = lazyPart(() => import('./team-dialogs.tsx').then((file) => ({ default: file.TeamName })));
const TeamPeople = lazyPart(() => import('./team-dialogs.tsx').then((file) => ({ default: file.TeamPeople })));
export type Team = ItemOf<'userGroups.list'>;
type Opened = { kind: 'name' | 'people' | 'role' | 'leave' | 'remove'; team: Team } | { kind: 'new' };

/** Teams of people, and what each of them is in this workspace. */
export function Teams() {
  const client = useClient();
  const { id, name: workspace } = useWorkspace();
  const isOrganization = useMay()('org:admin');
  const { ofOrganization } = useRefusals();
  const { refresh } = useRefresh('teams', 'members');
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const { list, more } = usePaged(['teams', 'list'], (page) => client.userGroups.list({ page, size: 50 }));
  const here = useQuery({ queryKey: [id, 'teams', 'here'], queryFn: () => client.memberGroups.list(id) });
  const roles = new Map(here.data?.map((group) => [group.user_group_id, group]));
  const make = (
    <Button icon={<Plus size={15} aria-hidden />} refused={ofOrganization} onClick={() => setOpened({ kind: 'new' })}>
      {words.make}
    </Button>
  );
  return (
    <Card title={words.title} help={words.help} actions={make}>
      <Loaded query={list}>
        {(teams) =>
          teams.length === 0 ? (
            <EmptyState icon={<UsersRound size={20} aria-hidden />} {...words.none} />
          ) : (
            <Table
              label={words.title}
              rows={teams}
              keyOf={(team) => team.id}
              columns={[
                { label: words.name, isName: true, cell: (team) => <Named name={team.name} /> },
                { label: words.people, isFigure: true, cell: (team) => team.member_count },
                {
                  label: words.roleHere,
                  cell: (team) =>
                    roles.has(team.id) ? (
                      <Chip>{roles.get(team.id)?.role_name}</Chip>
                    ) : (
                      <span className="text-text-3">{words.notHere}</span>
                    ),
                },
                {
                  label: adminTexts.more(''),
                  isBare: true,
                  cell: (team) => (
                    <Menu
                      trigger={<IconButton label={adminTexts.more(team.name)} icon={<MoreHorizontal size={16} />} />}
                      groups={[
                        [
                          { label: words.change, onSelect: () => setOpened({ kind: 'people', team }) },
                          {
                            ...{ label: words.role, onSelect: () => setOpened({ kind: 'role', team }) },
                            refused: !roles.has(team.id) && ofOrganization,
                          },
                          {
                            label: words.rename,
                            refused: ofOrganization,
                            onSelect: () => setOpened({ kind: 'name', team }),
                          },
                        ],
                        [
                          roles.has(team.id) && {
                            ...{ label: words.leave, danger: true, onSelect: () => setOpened({ kind: 'leave', team }) },
                          },
                          {
                            ...{ label: words.remove, danger: true, refused: ofOrganization },
                            onSelect: () => setOpened({ kind: 'remove', team }),
                          },
                        ],
                      ]}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {more}
      <Suspense>
        {opened?.kind === 'new' && <TeamName onClose={close} />}
        {opened?.kind === 'name' && <TeamName team={opened.team} onClose={close} />}
        {opened?.kind === 'people' && <TeamPeople team={opened.team} mayChange={isOrganization} onClose={close} />}
      </Suspense>
      {opened?.kind === 'role' && (
        <RoleDialog
          title={words.roleTitle(opened.team.name, workspace)}
          help={words.roleHelp}
          given={roles.get(opened.team.id)}
          readNow={async () => {
            await refresh();
            return (await client.memberGroups.list(id)).find(({ user_group_id }) => user_group_id === opened.team.id);
          }}
          onClose={close}
          onChoose={async (role_id, ifMatch) => {
            await client.memberGroups.set(id, opened.team.id, { role_id }, { ifMatch });
            await refresh();
            sayToast({ text: words.roleChanged });
          }}
        />
      )}
      {opened?.kind === 'leave' && (
        <Confirm
          open
          onClose={close}
          title={words.leaveTitle(opened.team.name)}
          help={words.leaveHelp}
          action={words.leave}
          onConfirm={async () => {
            await client.memberGroups.remove(id, opened.team.id);
            await refresh();
            sayToast({ text: words.left });
          }}
        />
      )}
      {opened?.kind === 'remove' && (
        <Confirm
          open
          onClose={close}
          title={words.removeTitle(opened.team.name)}
          help={words.removeHelp}
          action={words.removeAction}
          onConfirm={async () => {
            await client.userGroups.delete(opened.team.id);
            await refresh();
          }}
        />
      )}
    </Card>
  );
}
