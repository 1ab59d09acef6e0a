import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspace } from '../../api/session.ts';
import { cx } from '../../ui/cx.ts';
import { ErrorState, useAfter } from '../../ui/states.tsx';
import type { AdminSearch } from '../routes.tsx';
import type { SectionKey } from '../sections.ts';

interface Asked<Item> {
  data: readonly Item[] | undefined;
  error: unknown;
  isError: boolean;
  refetch: () => unknown;
}

interface OverviewCardProps<Item> {
  title: string;
  query: Asked<Item>;
  /** What the card says when it has no rows. */
  none: string;
  to: { section: SectionKey; label: string; search?: AdminSearch };
  beside?: ReactNode;
  /** How many rows it shows, and keeps room for while they load. */
  rows?: number;
  rowHeight?: string;
  keyOf: (item: Item) => string;
  children: (item: Item) => ReactNode;
  className?: string | undefined;
}

/** The first rows of a part of Admin, and the way to all of them. */
export function OverviewCard<Item>(props: OverviewCardProps<Item>) {
  const { title, query, none, to, beside, rows = 3, rowHeight = 'min-h-11.5', keyOf, children, className } = props;
  const { id: w } = useWorkspace();
  const row = cx('flex items-center gap-2.5 border-t border-line px-4 py-1 text-label', rowHeight);
  return (
    <section
      aria-label={title}
      aria-busy={query.data === undefined && !query.isError}
      className={cx('flex min-w-0 flex-col overflow-hidden rounded-3 border border-line bg-surface', className)}
    >
      <header className="flex flex-wrap items-center gap-x-3 px-4 py-3">
        <h2 className="min-w-0 flex-1 text-base font-semibold">{title}</h2>
        {beside}
        <Link
          to="/w/$w/admin/$section"
          params={{ w, section: to.section }}
          search={to.search ?? {}}
          className="text-dense font-medium pointer-coarse:-my-3 pointer-coarse:grid pointer-coarse:min-h-11 pointer-coarse:min-w-11 pointer-coarse:content-center pointer-coarse:justify-end"
        >
          {to.label}
        </Link>
      </header>
      {query.data ? (
        query.data.length === 0 ? (
          <p className={cx(row, 'text-text-2')}>{none}</p>
        ) : (
          <ul className="flex flex-1 flex-col">
            {query.data.slice(0, rows).map((item) => (
              <li key={keyOf(item)} className={row}>
                {children(item)}
              </li>
            ))}
          </ul>
        )
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-4" />
      ) : (
        <Shape rows={rows} row={row} />
      )}
    </section>
  );
}

/** Room for what comes, so that nothing moves when it is there. */
function Shape({ rows, row }: { rows: number; row: string }) {
  const isVisible = useAfter(200);
  return (
    <div aria-hidden>
      {Array.from({ length: rows }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same.
        <div key={place} className={row}>
          {isVisible && <span className="pulse h-4 w-1/2 rounded-1 bg-sunken" />}
        </div>
      ))}
    </div>
  );
}

/** Name and second line of a row. */
export const TwoLines = ({ name, below }: { name: ReactNode; below: ReactNode }) => (
  <span className="min-w-0 flex-1">
    <span className="block truncate font-medium">{name}</span>
    <span className="block truncate text-caption text-text-3">{below}</span>
  </span>
);
