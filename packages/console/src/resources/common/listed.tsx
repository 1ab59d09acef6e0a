import { type ReactNode, type Ref, useRef } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import type { Pages } from './use-pages.ts';

interface ListedProps<T> {
  /** The name of the list, read out. */
  label: string;
  pages: Pages<T>;
  rowOf: (item: T, index: number) => ReactNode;
  /** Nothing is there at all. */
  none: { title: string; help: string; icon: ReactNode };
  /** The first step, where nothing is there. */
  first?: ReactNode;
  /** Filters are set: an empty list says so and offers to clear them. */
  filtered?: { title: string; onClear: () => void } | undefined;
  listRef?: Ref<HTMLUListElement> | undefined;
}

/** A list in all its states: loading, failed, empty, filtered to nothing, with more to come. */
export function Listed<T>({ label, pages, rowOf, none, first, filtered, listRef }: ListedProps<T>) {
  const { query, items } = pages;
  return (
    <>
      {query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {items.length > 0 && (
        <ul
          ref={listRef}
          aria-label={label}
          className="divide-y divide-line overflow-hidden rounded-3 border border-line"
        >
          {items.map(rowOf)}
        </ul>
      )}
      {query.hasNextPage && (
        <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.ui.loadMore}
        </Button>
      )}
      {query.isSuccess &&
        items.length === 0 &&
        (filtered ? (
          <EmptyState icon={none.icon} title={filtered.title}>
            <Button onClick={filtered.onClear}>{t.ui.clearFilters}</Button>
          </EmptyState>
        ) : (
          <EmptyState {...none}>{first}</EmptyState>
        ))}
    </>
  );
}

interface FindBarProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  count?: string | undefined;
  children?: ReactNode;
  /** At the end of the line, such as the main action. */
  actions?: ReactNode;
}

/** A field that finds, filters beside it, how many there are, and the main action. `/` leads to it. */
export function FindBar({ label, value, onChange, count, children, actions }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', label, onPress: () => field.current?.focus() }]);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <TextInput
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="max-w-80 min-w-36 flex-1"
      />
      {children}
      <span className="ml-auto flex flex-wrap items-center gap-3">
        {count && <span className="num text-dense text-text-3">{count}</span>}
        {actions}
      </span>
    </div>
  );
}

/** The rows of a list for J and K, and the way to give the focus to the row that took a deleted one's place. */
export function useRows() {
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  const focusAt = (index: number) =>
    setTimeout(() => {
      const rows = list.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [];
      const next = rows[Math.min(Math.max(index, 0), rows.length - 1)];
      (next ?? document.querySelector<HTMLElement>('input[type=search]'))?.focus();
    }, 80);
  return { list, focusAt };
}

/** The content of a tab: one column, which scrolls. */
export const TabBody = ({ children }: { children: ReactNode }) => (
  <div className="min-w-0 flex-1 overflow-y-auto">
    <div className="mx-auto flex max-w-260 flex-col gap-3 px-5 py-4 max-narrow:px-3">{children}</div>
  </div>
);
