import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { useRef } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayDuration } from '../../lib/numbers.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { t } from '../../text/en.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Select } from '../../ui/select.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { useFlow } from '../editor/editor-context.ts';
import type { WorkflowRun } from '../queries.ts';
import { RunStatusChip } from '../run/run-status.tsx';

const words = workflowTexts.runs;
const statuses = Object.keys(workflowTexts.statuses) as WorkflowRun['status'][];

/** The runs of a workflow, the newest first. Each can be shown beside the steps, or as a trace. */
export function RunsPage() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const id = useFlow((state) => state.workflow.id);
  const { status: asked } = useSearch({ from: '/signed-in/w/$w/workflows/$id/runs' });
  const navigate = useNavigate({ from: '/w/$w/workflows/$id/runs' });
  const status = statuses.find((one) => one === asked);
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  const query = useInfiniteQuery({
    queryKey: [w, 'runs', 'list-of-workflow', id, status],
    queryFn: ({ pageParam }) =>
      client.workflowRuns.list(id, { view: 'summary', page: pageParam, size: 50, ...(status && { status }) }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-260 flex-col gap-3 px-5 py-4 max-narrow:px-3">
        <Select
          aria-label={words.status}
          className="w-56"
          value={status ?? ''}
          empty={words.any}
          options={statuses.map((value) => ({ value, label: workflowTexts.statuses[value] }))}
          onChange={(value) => void navigate({ search: { status: value || undefined }, replace: true })}
        />
        {query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
        {items.length > 0 && (
          <ul ref={list} aria-label={words.title} className="divide-y divide-line rounded-3 border border-line">
            {items.map((run) => (
              <li key={run.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5">
                <RunStatusChip status={run.status} />
                <Link
                  to="/w/$w/workflows/$id"
                  params={{ w, id }}
                  search={{ run: run.id }}
                  data-row-link
                  title={sayExactTime(run.created_at)}
                  className="font-medium text-text hover:underline"
                >
                  {words.one(sayTime(run.created_at))}
                </Link>
                {run.started_at && run.finished_at && (
                  <span className="num text-dense text-text-2">
                    {words.took(sayDuration(Date.parse(run.finished_at) - Date.parse(run.started_at)))}
                  </span>
                )}
                {run.retry_of && <Chip>{words.retryOf}</Chip>}
                <Link to={`/w/${w}/runs/${run.id}` as '/'} className="ml-auto text-dense font-medium">
                  {words.trace}
                </Link>
              </li>
            ))}
          </ul>
        )}
        {query.hasNextPage && (
          <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t.ui.loadMore}
          </Button>
        )}
        {query.isSuccess && items.length === 0 && (
          <EmptyState icon={<Activity size={20} aria-hidden />} {...(status ? { title: words.noneFound } : words.none)}>
            {status && (
              <Button onClick={() => void navigate({ search: {}, replace: true })}>{t.ui.clearFilters}</Button>
            )}
          </EmptyState>
        )}
      </div>
    </div>
  );
}
