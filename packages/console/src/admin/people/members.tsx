import type { ItemOf } from '@atrium/sdk';
import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayTime } from '../../lib/time.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { peopleTexts } from '../../text/admin/people.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { useMembers } from '../shared/queries.ts';
import { Card } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import { Invitations } from './invitations.tsx';
import { RoleDialog } from './role-dialog.tsx';

const words = peopleTexts.members;
type Member = ItemOf<'members.list'>;

/** Who works in this workspace, with which role, and who is invited. */
export function Members() {
  const client = useClient();
  const { id, name: workspace } = useWorkspace();
  const query = useMembers();
  const { refresh } = useRefresh('members');
  const [changed, setChanged] = useState<Member>();
  const [removed, setRemoved] = useState<Member>();
  return (
    <>
      <Card title={words.title} help={words.help(workspace)}>
        <Loaded query={query}>
          {(members) => (
            <Table
              label={words.title}
              rows={members}
              keyOf={(member) => member.person_id}
              columns={[
                {
                  label: words.name,
                  isName: true,
                  cell: (member) => (
                    <span className="flex items-center gap-2.5">
                      <Avatar name={member.name} kind="person" size={28} />
                      <Named name={member.name} below={member.email} />
                    </span>
                  ),
                },
                { label: words.role, cell: (member) => <Chip>{member.role_name}</Chip> },
                { label: words.state, cell: (member) => <PersonState {...member} /> },
                { label: words.since, cell: (member) => sayTime(member.created_at) },
                {
                  label: adminTexts.more(''),
                  isBare: true,
                  cell: (member) => (
                    <Menu
                      trigger={<IconButton label={adminTexts.more(member.name)} icon={<MoreHorizontal size={16} />} />}
                      groups={[
                        [
                          {
                            label: words.changeRole,
                            refused: !member.may?.edit && words.mayNot,
                            onSelect: () => setChanged(member),
                          },
                        ],
                        [
                          {
                            ...{ label: words.remove, danger: true, refused: !member.may?.delete && words.mayNot },
                            onSelect: () => setRemoved(member),
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
      <Invitations />
      {changed && (
        <RoleDialog
          title={words.roleTitle(changed.name)}
          help={words.roleHelp}
          given={changed}
          readNow={async () => {
            await refresh();
            return (await client.members.list(id)).find(({ person_id }) => person_id === changed.person_id);
          }}
          onClose={() => setChanged(undefined)}
          onChoose={async (role_id, ifMatch) => {
            await client.members.set(id, changed.person_id, { role_id }, { ifMatch });
            await refresh();
            sayToast({ text: words.roleChanged(changed.name) });
          }}
        />
      )}
      {removed && (
        <Confirm
          open
          onClose={() => setRemoved(undefined)}
          title={words.removeTitle(removed.name, workspace)}
          help={words.removeHelp}
          action={words.remove}
          onConfirm={async () => {
            await client.members.remove(id, removed.person_id);
            await refresh();
            sayToast({ text: words.removed(removed.name) });
          }}
        />
      )}
    </>
  );
}

/** Whether a person may sign in, in words. */
export function PersonState(props: { active: boolean; tenant_admin: boolean; second_factor?: boolean }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      <Chip tone={props.active ? 'ok' : 'plain'} dot>
        {props.active ? peopleTexts.state.active : peopleTexts.state.inactive}
      </Chip>
      {props.tenant_admin && <Chip tone="info">{peopleTexts.state.admin}</Chip>}
      {props.second_factor && <Chip>{peopleTexts.state.second}</Chip>}
    </span>
  );
}
