import type { ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { Bot, MoreHorizontal } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { keyTexts, accountKeyTexts as words } from '../../text/admin/keys.ts';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { useRoles } from '../shared/queries.ts';
import { Card } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';
import { useRefresh } from '../shared/use-admin.ts';

const AccountDialog = lazyPart(() => import('./account-dialog.tsx').then((file) => ({ default: file.AccountDialog })));
export type ServiceAccount = ItemOf<'serviceAccounts.list'>;
type Opened = { kind: 'change' | 'off' | 'remove'; account: ServiceAccount };

/** Owners of the keys of programs, in this workspace. */
export function ServiceAccounts() {
  const client = useClient();
  const { id } = useWorkspace();
  const query = useQuery({ queryKey: [id, 'service-accounts', id], queryFn: () => client.serviceAccounts.list(id) });
  const roles = useRoles().data;
  const { act, refresh } = useRefresh('service-accounts', 'keys');
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const setActive = (account: ServiceAccount, active: boolean) =>
    client.serviceAccounts.update(id, account.id, { active }, { ifMatch: account.etag });
  return (
    <Card title={words.title} help={words.help}>
      <Loaded query={query}>
        {(accounts) =>
          accounts.length === 0 ? (
            <EmptyState icon={<Bot size={20} aria-hidden />} {...words.none} />
          ) : (
            <Table
              label={words.title}
              rows={accounts}
              keyOf={(account) => account.id}
              columns={[
                { label: keyTexts.name, isName: true, cell: (account) => <Named name={account.name} /> },
                {
                  label: keyTexts.rights,
                  cell: ({ role_id, permissions }) => (
                    <Chip>
                      {roles?.find((role) => role.id === role_id)?.name ?? keyTexts.count(permissions.length)}
                    </Chip>
                  ),
                },
                { label: words.keys, isFigure: true, cell: (account) => account.key_count },
                {
                  label: words.state,
                  cell: ({ active }) => (
                    <Chip tone={active ? 'ok' : 'plain'} dot>
                      {active ? words.active : words.inactive}
                    </Chip>
                  ),
                },
                {
                  label: adminTexts.more(''),
                  isBare: true,
                  cell: (account) => (
                    <Menu
                      trigger={<IconButton label={adminTexts.more(account.name)} icon={<MoreHorizontal size={16} />} />}
                      groups={[
                        [
                          { label: words.change, onSelect: () => setOpened({ kind: 'change', account }) },
                          account.active
                            ? { label: words.switchOff, onSelect: () => setOpened({ kind: 'off', account }) }
                            : { label: words.switchOn, onSelect: () => void act(() => setActive(account, true)) },
                        ],
                        [{ label: words.remove, danger: true, onSelect: () => setOpened({ kind: 'remove', account }) }],
                      ]}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <Suspense>{opened?.kind === 'change' && <AccountDialog account={opened.account} onClose={close} />}</Suspense>
      {opened?.kind === 'off' && (
        <Confirm
          open
          onClose={close}
          title={words.switchOffTitle(opened.account.name)}
          help={words.switchOffHelp}
          action={words.switchOff}
          onConfirm={async () => {
            await setActive(opened.account, false);
            await refresh();
          }}
        />
      )}
      {opened?.kind === 'remove' && (
        <Confirm
          open
          onClose={close}
          title={words.removeTitle(opened.account.name)}
          help={words.removeHelp(opened.account.key_count)}
          action={words.removeAction}
          onConfirm={async () => {
            await client.serviceAccounts.delete(id, opened.account.id);
            await refresh();
          }}
        />
      )}
    </Card>
  );
}
