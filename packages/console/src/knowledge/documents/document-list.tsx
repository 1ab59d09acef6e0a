import type { AnswerOf } from '@atrium/sdk';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { t } from '../../text/en.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import type { DocumentFilter, KbDocument } from '../queries.ts';
import { BulkBar } from './bulk-bar.tsx';
import { type BulkAction, BulkDialog } from './bulk-dialogs.tsx';
import { DocumentRow } from './document-row.tsx';

const words = documentTexts.list;

interface DocumentListProps {
  query: UseInfiniteQueryResult<InfiniteData<AnswerOf<'documents.list'>>>;
  filter: DocumentFilter;
  chosen: string | undefined;
}

/** Documents and folders with their states; some or all can be picked. */
export function DocumentList({ query, filter, chosen }: DocumentListProps) {
  const navigate = useNavigate({ from: '/w/$w/knowledge/$id/documents' });
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<BulkAction>();
  const [landing, setLanding] = useState<number>();
  const list = useRef<HTMLUListElement>(null);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const chosenItems = items.filter(({ id }) => picked.has(id));
  const pick = (id: string, on: boolean) =>
    setPicked((old) => (on ? new Set([...old, id]) : new Set([...old].filter((other) => other !== id))));
  useRowKeys(list);
  useShortcuts([
    {
      ...{ keys: 'x', label: words.pick('') },
      onPress: () => {
        const id = document.activeElement
          ?.closest('li')
          ?.querySelector('[data-document]')
          ?.getAttribute('data-document');
        if (id) pick(id, !picked.has(id));
      },
    },
  ]);
  /** The row that took the place of what was deleted gets the focus, in the same moment in which the dialog goes. */
  const settle = (first: KbDocument | undefined) => {
    setLanding(
      Math.max(
        items.findIndex(({ id }) => id === first?.id),
        0,
      ),
    );
    setPicked(new Set());
  };
  useEffect(() => {
    if (landing === undefined) return;
    const links = list.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [];
    (links[Math.min(landing, links.length - 1)] ?? document.querySelector<HTMLElement>('h1'))?.focus();
    setLanding(undefined);
  }, [landing]);
  const isFiltered = Boolean(filter.search || filter.status || filter.prefix);
  if (query.isPending) return <Loading rows={8} onRetry={() => void query.refetch()} />;
  if (query.isError && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (items.length === 0)
    return (
      <EmptyState icon={<FileText size={20} aria-hidden />} {...(isFiltered ? { title: words.noneFound } : words.none)}>
        {isFiltered && (
          <Button onClick={() => void navigate({ search: {}, replace: true })}>{t.ui.clearFilters}</Button>
        )}
      </EmptyState>
    );
  return (
    <div className="pb-6">
      {chosenItems.length > 0 ? (
        <BulkBar picked={chosenItems} onClear={() => setPicked(new Set())} onAsk={setAsked} />
      ) : (
        <div className="flex min-h-10 items-center gap-3 border-b border-line px-4 text-caption text-text-3">
          <Checkbox
            bare
            label={words.pickAll}
            checked={false}
            onChange={() => setPicked(new Set(items.map(({ id }) => id)))}
          />
          <span className="flex-1">{words.name}</span>
          <span className="num">{words.count(query.data.pages[0]?.total ?? 0)}</span>
        </div>
      )}
      <ul ref={list} aria-label={words.label} className="divide-y divide-line border-b border-line">
        {items.map((item) => (
          <DocumentRow
            key={item.id}
            item={item}
            isChosen={item.id === chosen}
            isPicked={picked.has(item.id)}
            onPick={(on) => pick(item.id, on)}
            onAsk={(action) => {
              setPicked(new Set([item.id]));
              setAsked(action);
            }}
          />
        ))}
      </ul>
      {query.hasNextPage && (
        <div className="flex justify-center pt-3">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t.ui.loadMore}
          </Button>
        </div>
      )}
      {asked && chosenItems.length > 0 && (
        <BulkDialog
          action={asked}
          items={chosenItems}
          onClose={() => setAsked(undefined)}
          onDone={() => settle(chosenItems[0])}
        />
      )}
    </div>
  );
}
