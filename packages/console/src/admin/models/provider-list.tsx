import type { AnswerOf, ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Cpu, MoreHorizontal } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { modelTexts as words } from '../../text/admin/models.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Card } from '../shared/section-page.tsx';
import { Named, Table } from '../shared/table.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import { TestReport } from './test-report.tsx';

const ProviderDialog = lazyPart(() =>
  import('./provider-dialog.tsx').then((file) => ({ default: file.ProviderDialog })),
);
export type Provider = ItemOf<'providers.list'>;
export type ProviderTest = AnswerOf<'providers.test'>;
type Opened = { kind: 'change' | 'remove'; provider: Provider };

/** The providers, each with a test that says why it fails. */
export function ProviderList({ refused }: { refused: string | false }) {
  const client = useClient();
  const { id } = useWorkspace();
  const query = useQuery({ queryKey: [id, 'providers'], queryFn: () => client.providers.list() });
  const { act, refresh } = useRefresh('providers', 'models', 'presets', 'defaults');
  const [opened, setOpened] = useState<Opened>();
  const [tests, setTests] = useState<Readonly<Record<string, ProviderTest | 'running'>>>({});
  const [shown, setShown] = useState<string>();
  const close = () => setOpened(undefined);
  const test = async (provider: Provider) => {
    setTests((old) => ({ ...old, [provider.id]: 'running' }));
    try {
      const result = await client.providers.test(provider.id);
      setTests((old) => ({ ...old, [provider.id]: result }));
      setShown(provider.id);
    } catch (error) {
      setTests(({ [provider.id]: _, ...others }) => others);
      sayFailure(error);
    }
  };
  const report = shown === undefined ? undefined : tests[shown];
  const named = query.data?.find((provider) => provider.id === shown);
  return (
    <Card title={words.providers} help={words.providersHelp}>
      <Loaded query={query}>
        {(providers) =>
          providers.length === 0 ? (
            <EmptyState icon={<Cpu size={20} aria-hidden />} {...words.none} className="py-8" />
          ) : (
            <Table
              label={words.providers}
              rows={providers}
              keyOf={(provider) => provider.id}
              columns={[
                {
                  label: words.provider,
                  isName: true,
                  cell: ({ name, base_urls, enabled }) => (
                    <Named name={name} below={base_urls.length > 0 ? base_urls.join(', ') : words.ownAddress}>
                      {!enabled && <Chip>{words.off}</Chip>}
                    </Named>
                  ),
                },
                { label: words.state, cell: (provider) => <TestState test={tests[provider.id]} /> },
                {
                  label: words.models,
                  cell: ({ models }) => (models.length > 0 ? words.found(models.length) : words.any),
                },
                { label: words.setBy, cell: ({ source }) => words.sources[source] },
                {
                  label: words.test,
                  isBare: true,
                  isWide: true,
                  cell: (provider) => (
                    <span className="inline-flex items-center gap-1">
                      <Button
                        size="small"
                        busy={tests[provider.id] === 'running'}
                        refused={refused}
                        onClick={() => void test(provider)}
                      >
                        {words.test}
                        <span className="sr-only"> {provider.name}</span>
                      </Button>
                      <ProviderMenu
                        provider={provider}
                        refused={provider.source === 'environment' ? words.environmentOnly : refused}
                        onOpen={(kind) => setOpened({ kind, provider })}
                        onSwitch={(enabled) =>
                          void act(() =>
                            client.providers.update(provider.id, { enabled }, { ifMatch: provider.etag ?? undefined }),
                          )
                        }
                      />
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {named && report && report !== 'running' && <TestReport name={named.name} test={report} />}
      <Suspense>{opened?.kind === 'change' && <ProviderDialog provider={opened.provider} onClose={close} />}</Suspense>
      {opened?.kind === 'remove' && (
        <Confirm
          open
          onClose={close}
          title={words.removeTitle(opened.provider.name)}
          help={words.removeHelp}
          action={words.removeAction}
          onConfirm={async () => {
            await client.providers.delete(opened.provider.id);
            await refresh();
          }}
        />
      )}
    </Card>
  );
}

interface ProviderMenuProps {
  provider: Provider;
  refused: string | false;
  onOpen: (kind: Opened['kind']) => void;
  onSwitch: (enabled: boolean) => void;
}

function ProviderMenu({ provider, refused, onOpen, onSwitch }: ProviderMenuProps) {
  return (
    <Menu
      trigger={<IconButton label={adminTexts.more(provider.name)} icon={<MoreHorizontal size={16} />} />}
      groups={[
        [
          { label: words.change, refused, onSelect: () => onOpen('change') },
          {
            ...{ label: provider.enabled ? words.switchOff : words.switchOn, refused },
            onSelect: () => onSwitch(!provider.enabled),
          },
        ],
        [{ label: words.remove, danger: true, refused, onSelect: () => onOpen('remove') }],
      ]}
    />
  );
}

function TestState({ test }: { test: ProviderTest | 'running' | undefined }) {
  if (test === undefined) return <span className="text-text-3">{words.notTested}</span>;
  if (test === 'running') return <span className="text-text-3">{words.testing}</span>;
  const works = test.addresses.filter(({ ok }) => ok);
  if (test.success)
    return (
      <Chip tone="ok" dot>
        {words.works(`${Math.max(0, ...works.map(({ ms }) => ms))} ms`)}
      </Chip>
    );
  return (
    <Chip tone="bad" icon={<CircleAlert size={12} aria-hidden />}>
      {works.length > 0 ? words.someFail(works.length, test.addresses.length) : words.fails}
    </Chip>
  );
}
