import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useId } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { safeHref } from '../../chat/markdown/safe-href.ts';
import { t } from '../../text/en.ts';
import { siteTexts } from '../../text/knowledge/sites.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { Select } from '../../ui/select.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useBase } from '../base/base-context.ts';
import { crawlPause, type Site } from './sites.ts';

const words = siteTexts;
type PageState = keyof typeof words.states;
const tones: Record<PageState, Tone> = {
  ...{ waiting: 'plain', added: 'ok', changed: 'ok', unchanged: 'plain', gone: 'warn', skipped: 'warn', failed: 'bad' },
};
const isState = (state: string | undefined): state is PageState => (state ?? '') in words.states;

/** What the last crawl did with each page, and why. */
export function SitePages({ site }: { site: Site }) {
  const client = useClient();
  const base = useBase();
  const { id: w } = useWorkspace();
  const title = useId();
  const { pages: asked } = useSearch({ from: '/signed-in/w/$w/knowledge/$id/sites' });
  const navigate = useNavigate({ from: '/w/$w/knowledge/$id/sites' });
  const state = isState(asked) ? asked : undefined;
  const query = useInfiniteQuery({
    queryKey: [w, 'kb_sites', base.id, 'pages', site.id, state ?? ''],
    queryFn: ({ pageParam }) =>
      client.sites.listPages(base.id, site.id, { page: pageParam, size: 50, ...(state && { state }) }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: site.status === 'crawling' ? crawlPause : false,
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const counted = Object.entries(site.pages).filter(([name, count]) => isState(name) && count > 0);
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <h3 id={title} className="text-section">
          {words.pages}
        </h3>
        <Select
          aria-label={words.pageState}
          value={state ?? ''}
          empty={words.anyState}
          options={counted.map(([name, count]) => ({
            value: name,
            label: words.pageCount(count, words.states[name as PageState]),
          }))}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, pages: next || undefined }), replace: true })}
          className="ml-auto w-44"
        />
      </div>
      {query.isPending && <Loading rows={4} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {query.isSuccess && items.length === 0 && <p className="text-dense text-text-2">{words.noPages}</p>}
      {items.length > 0 && (
        <ul className="divide-y divide-line rounded-3 border border-line">
          {items.map((page) => {
            const target = safeHref(page.url, location.origin);
            return (
              <li key={page.url} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2 text-dense">
                <Chip tone={tones[page.state]}>{words.states[page.state]}</Chip>
                {target ? (
                  <a href={target.href} target="_blank" rel="noopener noreferrer" className="min-w-0 flex-1 break-all">
                    {page.url}
                  </a>
                ) : (
                  <span className="min-w-0 flex-1 break-all">{page.url}</span>
                )}
                {page.reason && <p className="w-full break-words text-text-2">{page.reason}</p>}
              </li>
            );
          })}
        </ul>
      )}
      {query.hasNextPage && (
        <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.ui.loadMore}
        </Button>
      )}
    </section>
  );
}
