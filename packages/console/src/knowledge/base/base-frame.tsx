import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { MoreHorizontal, RefreshCw, Trash2, TriangleAlert } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordFailure } from '../../ui/record-failure.tsx';
import { Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type Base, baseQuery, usesQuery } from '../queries.ts';
import { BaseContext } from './base-context.ts';
import { BaseStatus } from './base-status.tsx';
import { useBaseActions } from './use-base-actions.ts';

const DeleteBase = lazyPart(() =>
  import('../list/delete-base.tsx').then(({ DeleteBase }) => ({ default: DeleteBase })),
);
const tabs = ['documents', 'search', 'sites', 'quality', 'settings'] as const;

/** Everything around the tabs of one knowledge base. */
export function BaseFrame() {
  const { id } = useParams({ from: '/signed-in/w/$w/knowledge/$id' });
  const { id: w } = useWorkspace();
  const query = useQuery(baseQuery(useClient(), w, id));
  if (query.data) return <LoadedBase key={id} base={query.data} />;
  const crumb = { label: baseTexts.title, to: `/w/${w}/knowledge` };
  return (
    <Page title={baseTexts.title} crumb={crumb} guide="knowledge-bases">
      {query.isError && <RecordFailure error={query.error} onRetry={() => void query.refetch()} list={crumb} />}
      {query.isPending && <Loading rows={8} onRetry={() => void query.refetch()} />}
    </Page>
  );
}

function LoadedBase({ base }: { base: Base }) {
  const { id: w } = useWorkspace();
  const may = useMay();
  const navigate = useNavigate();
  const { reindex } = useBaseActions(base.id);
  const { data: uses } = useQuery(usesQuery(useClient(), w, base.id));
  const [isDeleting, setDeleting] = useState(false);
  const names = uses?.items.map(({ name }) => name ?? baseTexts.uses.noName) ?? [];
  const more = names.length - 1 + (uses?.hidden ?? 0);
  const refusedReindex = !may('kbs_advanced') && baseTexts.needsAdvanced;
  const { health } = base;
  return (
    <Page
      title={base.name}
      crumb={{ label: baseTexts.title, to: `/w/${w}/knowledge` }}
      guide="knowledge-bases"
      beside={<BaseStatus base={base} />}
      actions={
        <>
          {uses && (
            <span className="text-dense text-text-2 max-narrow:hidden">
              {names[0] ? baseTexts.uses.by([names[0]], more) : baseTexts.uses.none}
            </span>
          )}
          <Menu
            trigger={<IconButton label={baseTexts.list.more(base.name)} icon={<MoreHorizontal size={16} />} />}
            groups={[
              [
                {
                  ...{ label: baseTexts.reindex, icon: <RefreshCw size={15} /> },
                  ...{ refused: refusedReindex, onSelect: () => void reindex() },
                },
              ],
              [
                {
                  ...{ label: baseTexts.remove.action, icon: <Trash2 size={15} />, danger: true },
                  refused: !may('kbs_delete') && baseTexts.needsDelete,
                  onSelect: () => setDeleting(true),
                },
              ],
            ]}
          />
        </>
      }
      tabs={
        <Tabs
          label={baseTexts.tabs.label}
          tabs={tabs.map((tab) => ({
            label: baseTexts.tabs[tab],
            to: `/w/${w}/knowledge/${base.id}/${tab}`,
            count: tab === 'documents' ? base.total_documents : undefined,
          }))}
        />
      }
      scrolls={false}
    >
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {health.status !== 'ok' && health.message && (
          <div className="px-4 pt-3">
            <Banner
              tone={health.status === 'error' ? 'bad' : 'warn'}
              icon={<TriangleAlert size={16} aria-hidden />}
              action={
                health.action === 'reindex' && (
                  <Button size="small" refused={refusedReindex} onClick={() => void reindex()}>
                    {baseTexts.reindex}
                  </Button>
                )
              }
            >
              {health.message}
            </Banner>
          </div>
        )}
        <div className="flex min-h-0 min-w-0 flex-1">
          <BaseContext value={base}>
            <Outlet />
          </BaseContext>
        </div>
      </div>
      <Suspense>
        {isDeleting && (
          <DeleteBase
            base={base}
            onClose={() => setDeleting(false)}
            onDone={() => void navigate({ to: '/w/$w/knowledge', params: { w } })}
          />
        )}
      </Suspense>
    </Page>
  );
}
