import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { BookOpen, Plus } from 'lucide-react';
import { Suspense, useDeferredValue, useRef, useState } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useNewInAddress } from '../../lib/use-new-in-address.ts';
import { t } from '../../text/en.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import type { Base } from '../queries.ts';
import { BaseRow } from './base-row.tsx';
import { NewBase } from './new-base.tsx';

const DeleteBase = lazyPart(() => import('./delete-base.tsx').then(({ DeleteBase }) => ({ default: DeleteBase })));
const words = baseTexts.list;

function useBases(search: string, enabled: boolean) {
  const client = useClient();
  const { id } = useWorkspace();
  return useInfiniteQuery({
    queryKey: [id, 'knowledge_bases', 'list', search],
    queryFn: ({ pageParam }) =>
      client.knowledgeBases.list({ page: pageParam, size: 50, sort: 'name', ...(search && { search }) }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(({ status }) => status === 'training')) ? 2000 : false,
  });
}

export function KnowledgePage() {
  const { search = '' } = useSearch({ from: '/signed-in/w/$w/knowledge' });
  const navigate = useNavigate({ from: '/w/$w/knowledge' });
  const may = useMay();
  const [isMaking, setMaking] = useState(false);
  const [deleted, setDeleted] = useState<Base>();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const maySee = may('kbs_query');
  const query = useBases(useDeferredValue(search.trim()), maySee);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const show = (next: string) => void navigate({ search: { search: next || undefined }, replace: true });
  useNewInAddress(() => setMaking(true));
  useShortcuts([{ keys: '/', label: words.find, onPress: () => field.current?.focus() }]);
  useRowKeys(list);
  /** The row that took the place of a deleted one gets the focus. */
  const focusAt = (index: number) =>
    setTimeout(() => {
      const links = list.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [];
      (links[Math.min(index, links.length - 1)] ?? field.current)?.focus();
    }, 50);
  const makeButton = (
    <Button
      look="primary"
      icon={<Plus size={15} aria-hidden />}
      refused={!may('kbs_edit') && baseTexts.needsEdit}
      onClick={() => setMaking(true)}
    >
      {baseTexts.create.action}
    </Button>
  );
  return (
    <Page title={baseTexts.title} guide="knowledge-bases" actions={makeButton}>
      <div className="mx-auto flex max-w-260 flex-col gap-3 px-5 py-4 max-narrow:px-3">
        {!maySee && <EmptyState {...baseTexts.needsQuery} />}
        {maySee && (
          <div className="flex flex-wrap items-center gap-3">
            <TextInput
              ref={field}
              type="search"
              aria-label={words.find}
              placeholder={words.find}
              value={search}
              onChange={({ target }) => show(target.value)}
              className="max-w-80"
            />
            {query.data && (
              <span className="num ml-auto text-dense text-text-3">{words.count(query.data.pages[0]?.total ?? 0)}</span>
            )}
          </div>
        )}
        {maySee && query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
        {items.length > 0 && (
          <ul ref={list} aria-label={words.label} className="divide-y divide-line rounded-3 border border-line">
            {items.map((base) => (
              <BaseRow key={base.id} base={base} onDelete={() => setDeleted(base)} />
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
            icon={<BookOpen size={20} aria-hidden />}
            {...(search ? { title: words.noneFound(search) } : words.none)}
          >
            {search ? <Button onClick={() => show('')}>{t.ui.clearFilters}</Button> : makeButton}
          </EmptyState>
        )}
      </div>
      {isMaking && <NewBase onClose={() => setMaking(false)} />}
      <Suspense>
        {deleted && (
          <DeleteBase
            base={deleted}
            onClose={() => setDeleted(undefined)}
            onDone={() => focusAt(items.findIndex(({ id }) => id === deleted.id))}
          />
        )}
      </Suspense>
    </Page>
  );
}
