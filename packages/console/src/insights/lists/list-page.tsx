import type { ReactNode } from 'react';
import { useWorkspace } from '../../api/session.ts';
import { sayTime } from '../../lib/time.ts';
import { t } from '../../text/en.ts';
import { insightTexts } from '../../text/insights.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import type { Counted } from '../routes.tsx';

const words = insightTexts.lists;

interface Listed {
  data: { pages: readonly { total: number }[] } | undefined;
  error: unknown;
  isPending: boolean;
  isError: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch: () => unknown;
  fetchNextPage: () => unknown;
}
interface ListPageProps {
  title: string;
  counted: Counted;
  query: Listed;
  filters?: ReactNode;
  children: ReactNode;
}

/** What a figure counts, one entry a line, with what the figure was limited to. */
export function ListPage({ title, counted, query, filters, children }: ListPageProps) {
  const { id: w } = useWorkspace();
  const { after, before, about, channel, topic, version, person } = counted;
  const total = query.data?.pages[0]?.total;
  const limits = [
    after && before && words.inTime(sayTime(after), sayTime(before)),
    topic ? words.topic(about ?? '') : channel ? words.channel(about ?? channel) : about,
    version && !about && words.version,
    person && !about && words.person,
  ].filter((limit): limit is string => Boolean(limit));
  return (
    <Page title={title} crumb={{ label: insightTexts.title, to: `/w/${w}/insights` }} guide="insights">
      <div className="mx-auto flex max-w-260 flex-col gap-3 px-5 py-4 max-narrow:px-3">
        <div className="flex flex-wrap items-center gap-2">
          {filters}
          {limits.map((limit) => (
            <Chip key={limit} tone="accent">
              {limit}
            </Chip>
          ))}
          {total !== undefined && <span className="num ml-auto text-dense text-text-3">{words.count(total)}</span>}
        </div>
        {query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
        {total === 0 && <EmptyState title={words.none} />}
        {total !== undefined && total > 0 && (
          <ul aria-label={title} className="divide-y divide-line rounded-3 border border-line px-3.5">
            {children}
          </ul>
        )}
        {query.hasNextPage && (
          <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t.ui.loadMore}
          </Button>
        )}
      </div>
    </Page>
  );
}
