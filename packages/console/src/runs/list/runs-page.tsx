import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { useRef } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { runTexts } from '../../text/runs.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { runsQuery } from '../runs.ts';
import { RunFilters } from './run-filters.tsx';
import { RunRow } from './run-row.tsx';

const words = runTexts.list;
const columns = [
  ['what', 'w-full pl-3.5 text-left'],
  ['status', 'text-left max-phone:hidden'],
  ['by', 'text-left whitespace-nowrap max-wide:hidden'],
  ['started', 'text-right max-phone:hidden'],
  ['took', 'text-right max-narrow:hidden'],
  ['tokens', 'text-right max-narrow:hidden'],
  ['cost', 'pr-3.5 text-right max-phone:hidden'],
] as const;

/** Every run of agents and workflows, with what it cost. */
export function RunsPage() {
  const { sort, ...filters } = useSearch({ from: '/signed-in/w/$w/runs' });
  const navigate = useNavigate({ from: '/w/$w/runs' });
  const client = useClient();
  const { id: w } = useWorkspace();
  const query = useInfiniteQuery(runsQuery(client, w, filters, sort));
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page title={runTexts.title} guide="insights">
      <div className="mx-auto flex max-w-320 flex-col gap-3 px-5 py-4 max-narrow:px-3">
        <div className="flex flex-wrap items-center gap-2.5">
          <RunFilters />
          {query.data && (
            <span className="num ml-auto text-dense text-text-3">{words.count(query.data.pages[0]?.total ?? 0)}</span>
          )}
        </div>
        {query.isPending && <Loading rows={8} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
        {items.length > 0 && (
          <div className="rounded-3 border border-line">
            <table aria-label={words.label} className="w-full table-auto text-dense max-phone:table-fixed">
              <thead className="text-text-2">
                <tr className="border-b border-line">
                  {columns.map(([key, look]) => (
                    <th key={key} scope="col" className={cx('px-3 py-2 font-medium', look)}>
                      {words.columns[key]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody ref={body}>
                {items.map((run) => (
                  <RunRow key={run.id} run={run} filters={filters} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {query.hasNextPage && (
          <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t.ui.loadMore}
          </Button>
        )}
        {query.isSuccess && items.length === 0 && (
          <EmptyState
            icon={<Activity size={20} aria-hidden />}
            {...(isFiltered ? { title: words.noneFound } : words.none)}
          >
            {isFiltered ? (
              <Button onClick={() => void navigate({ search: {}, replace: true })}>{t.ui.clearFilters}</Button>
            ) : (
              <Link to="/w/$w/chat" params={{ w }}>
                {words.toChat}
              </Link>
            )}
          </EmptyState>
        )}
      </div>
    </Page>
  );
}
