import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Upload, Workflow } from 'lucide-react';
import { Suspense, useDeferredValue, useRef, useState } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useNewInAddress } from '../../lib/use-new-in-address.ts';
import { t } from '../../text/en.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useLastRuns } from './use-last-runs.ts';
import { WorkflowRow } from './workflow-row.tsx';

const NewWorkflow = lazyPart(() => import('./new-workflow.tsx').then(({ NewWorkflow }) => ({ default: NewWorkflow })));
const ImportWorkflow = lazyPart(() =>
  import('./import-workflow.tsx').then(({ ImportWorkflow }) => ({ default: ImportWorkflow })),
);
const words = workflowTexts.list;

function useWorkflows(search: string, deleted: boolean) {
  const client = useClient();
  const { id } = useWorkspace();
  return useInfiniteQuery({
    queryKey: [id, 'workflows', 'list', search, deleted],
    queryFn: ({ pageParam }) =>
      client.workflows.list({ view: 'summary', page: pageParam, size: 50, deleted, ...(search && { search }) }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
}

export function WorkflowsPage() {
  const { search = '', deleted = false } = useSearch({ from: '/signed-in/w/$w/workflows' });
  const navigate = useNavigate({ from: '/w/$w/workflows' });
  const [dialog, setDialog] = useState<'new' | 'import'>();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const mayEdit = useMay()('flows_edit');
  const query = useWorkflows(useDeferredValue(search.trim()), deleted);
  const lastRuns = useLastRuns();
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const show = (next: { search?: string; deleted?: boolean }) =>
    void navigate({
      search: (old) => ({
        search: (next.search ?? old.search) || undefined,
        deleted: (next.deleted ?? old.deleted) || undefined,
      }),
      replace: true,
    });
  useNewInAddress(() => setDialog('new'));
  useShortcuts([{ keys: '/', label: words.find, onPress: () => field.current?.focus() }]);
  useRowKeys(list);
  const refused = !mayEdit && workflowTexts.needsEdit;
  const makeButton = (
    <Button look="primary" icon={<Plus size={15} />} refused={refused} onClick={() => setDialog('new')}>
      {workflowTexts.create.action}
    </Button>
  );
  return (
    <Page
      title={workflowTexts.title}
      guide="workflows"
      actions={
        <>
          <Button icon={<Upload size={15} />} refused={refused} onClick={() => setDialog('import')}>
            {workflowTexts.importIt.action}
          </Button>
          {makeButton}
        </>
      }
    >
      <div className="mx-auto flex max-w-260 flex-col gap-3 px-5 py-4 max-narrow:px-3">
        <div className="flex flex-wrap items-center gap-3">
          <TextInput
            ref={field}
            type="search"
            aria-label={words.find}
            placeholder={words.find}
            value={search}
            onChange={({ target }) => show({ search: target.value })}
            className="max-w-80"
          />
          <Segmented
            label={words.state}
            value={deleted ? 'deleted' : 'used'}
            options={[
              { value: 'used', label: words.inUse },
              { value: 'deleted', label: words.deleted },
            ]}
            onChange={(value) => show({ deleted: value === 'deleted' })}
          />
          {query.data && (
            <span className="num ml-auto text-dense text-text-3">{words.count(query.data.pages[0]?.total ?? 0)}</span>
          )}
        </div>
        {query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
        {items.length > 0 && (
          <ul ref={list} aria-label={workflowTexts.title} className="divide-y divide-line rounded-3 border border-line">
            {items.map((workflow) => (
              <WorkflowRow key={workflow.id} workflow={workflow} lastRun={lastRuns.get(workflow.id)} />
            ))}
          </ul>
        )}
        {query.hasNextPage && (
          <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t.ui.loadMore}
          </Button>
        )}
        {query.isSuccess && items.length === 0 && (
          <EmptyState
            icon={<Workflow size={20} aria-hidden />}
            {...(search ? { title: words.noneFound(search) } : deleted ? words.noneDeleted : words.none)}
          >
            {search ? (
              <Button onClick={() => show({ search: '' })}>{t.ui.clearFilters}</Button>
            ) : (
              !deleted && makeButton
            )}
          </EmptyState>
        )}
      </div>
      <Suspense>
        {dialog === 'new' && <NewWorkflow onClose={() => setDialog(undefined)} />}
        {dialog === 'import' && <ImportWorkflow onClose={() => setDialog(undefined)} />}
      </Suspense>
    </Page>
  );
}
