import type { AnswerOf, ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { LogIn, MoreHorizontal, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { signInTexts as words } from '../../text/admin/people.ts';
import { t } from '../../text/en.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Card } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';
import { useRefresh } from '../shared/use-admin.ts';

const ProviderDialog = lazyPart(() =>
  import('./identity-provider-dialog.tsx').then((file) => ({ default: file.IdentityProviderDialog })),
);
export type IdentityProvider = ItemOf<'identityProviders.list'>;
type Opened = { kind: 'new' } | { kind: 'change' | 'off' | 'remove'; provider: IdentityProvider };

/** The OpenID Connect providers at which people sign in. */
export function IdentityProviders() {
  const client = useClient();
  const { id } = useWorkspace();
  const query = useQuery({ queryKey: [id, 'identity-providers'], queryFn: () => client.identityProviders.list() });
  const { act, refresh } = useRefresh('identity-providers');
  const [opened, setOpened] = useState<Opened>();
  const [tested, setTested] = useState<{ name: string; result: AnswerOf<'identityProviders.test'> }>();
  const close = () => setOpened(undefined);
  const setEnabled = ({ id, etag }: IdentityProvider, enabled: boolean) =>
    client.identityProviders.update(id, { enabled }, { ifMatch: etag });
  const test = ({ id, name }: IdentityProvider) =>
    act(async () => setTested({ name, result: await client.identityProviders.test(id) }));
  return (
    <Card
      title={words.providers}
      help={words.providersHelp}
      actions={
        <Button icon={<Plus size={15} aria-hidden />} onClick={() => setOpened({ kind: 'new' })}>
          {words.add}
        </Button>
      }
    >
      {tested && (
        <div className="p-3">
          <Banner
            tone={tested.result.success ? 'ok' : 'bad'}
            title={`${tested.name}: ${tested.result.success ? words.works : words.fails}`}
          >
            {tested.result.message}
          </Banner>
        </div>
      )}
      <Loaded query={query} rows={2}>
        {(providers) =>
          providers.length === 0 ? (
            <EmptyState icon={<LogIn size={20} aria-hidden />} {...words.none} className="py-8" />
          ) : (
            <Table
              label={words.providers}
              rows={providers}
              keyOf={(provider) => provider.id}
              columns={[
                { label: words.name, isName: true, cell: ({ name, issuer }) => <Named name={name} below={issuer} /> },
                {
                  label: words.on,
                  cell: ({ enabled }) => (
                    <Chip tone={enabled ? 'ok' : 'plain'} dot>
                      {enabled ? words.on : words.off}
                    </Chip>
                  ),
                },
                {
                  label: words.test,
                  isBare: true,
                  cell: (provider) => (
                    <span className="inline-flex items-center gap-1">
                      <Button size="small" onClick={() => void test(provider)}>
                        {words.test}
                        <span className="sr-only"> {provider.name}</span>
                      </Button>
                      <Menu
                        trigger={
                          <IconButton label={adminTexts.more(provider.name)} icon={<MoreHorizontal size={16} />} />
                        }
                        groups={[
                          [
                            {
                              label: words.editTitle(provider.name),
                              onSelect: () => setOpened({ kind: 'change', provider }),
                            },
                            provider.enabled
                              ? { label: words.switchOff, onSelect: () => setOpened({ kind: 'off', provider }) }
                              : { label: words.switchOn, onSelect: () => void act(() => setEnabled(provider, true)) },
                          ],
                          [
                            {
                              label: t.ui.delete,
                              danger: true,
                              onSelect: () => setOpened({ kind: 'remove', provider }),
                            },
                          ],
                        ]}
                      />
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <Suspense>
        {opened?.kind === 'new' && <ProviderDialog onClose={close} />}
        {opened?.kind === 'change' && <ProviderDialog provider={opened.provider} onClose={close} />}
      </Suspense>
      {opened?.kind === 'off' && (
        <Confirm
          open
          onClose={close}
          title={words.switchOffTitle(opened.provider.name)}
          help={words.switchOffHelp}
          action={words.switchOff}
          onConfirm={async () => {
            await setEnabled(opened.provider, false);
            await refresh();
          }}
        />
      )}
      {opened?.kind === 'remove' && (
        <Confirm
          open
          onClose={close}
          title={words.removeTitle(opened.provider.name)}
          help={words.removeHelp}
          action={words.removeAction}
          onConfirm={async () => {
            await client.identityProviders.remove(opened.provider.id);
            await refresh();
          }}
        />
      )}
    </Card>
  );
}
