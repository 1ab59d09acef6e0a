import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Table2, Upload } from 'lucide-react';
import { Suspense, useDeferredValue, useRef, useState } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useNewInAddress } from '../../lib/use-new-in-address.ts';
import { t } from '../../text/en.ts';
import { tableTexts } from '../../text/tables.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { TableRow } from './table-row.tsx';
import { useTableActions } from './use-table-actions.ts';

const NewTable = lazyPart(() => import('./new-table.tsx').then(({ NewTable }) => ({ default: NewTable })));
const ImportDialog = lazyPart(() =>
  import('../import/import-dialog.tsx').then(({ ImportDialog }) => ({ default: ImportDialog })),
);
const words = tableTexts.list;
type State = 'used' | 'platform' | 'deleted';

function useTables(search: string, state: State) {
  const client = useClient();
  const { id } = useWorkspace();
  return useInfiniteQuery({
    queryKey: [id, 'tables', 'list', search, state],
    queryFn: ({ pageParam }) =>
      client.tables.list({
        ...{ view: 'summary', page: pageParam, size: 50, deleted: state === 'deleted' },
        ...(state !== 'deleted' && { source: state === 'platform' ? 'platform' : 'custom' }),
        ...(search && { search }),
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (page < pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  });
}

export function TablesPage() {
  const { search = '', tables: state = 'used' } = useSearch({ from: '/signed-in/w/$w/tables' });
  const navigate = useNavigate({ from: '/w/$w/tables' });
  const { id: w } = useWorkspace();
  const may = useMay();
  const actions = useTableActions();
  const [dialog, setDialog] = useState<'new' | 'import'>();
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const query = useTables(useDeferredValue(search.trim()), state);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const show = (next: { search?: string; state?: State }) =>
    void navigate({
      search: (old) => {
        const chosen = next.state ?? old.tables;
        return {
          search: (next.search ?? old.search) || undefined,
          tables: chosen === 'used' ? undefined : chosen,
        };
      },
      replace: true,
    });
  useNewInAddress(() => setDialog('new'));
  useShortcuts([{ keys: '/', label: words.find, onPress: () => field.current?.focus() }]);
  useRowKeys(list);
  const refused = !may('tables_edit') && tableTexts.needsEdit;
  const importButton = (
    <Button icon={<Upload size={15} />} refused={refused} onClick={() => setDialog('import')}>
      {tableTexts.importIt.action}
    </Button>
  );
  const makeButton = (
    <Button look="primary" icon={<Plus size={15} />} refused={refused} onClick={() => setDialog('new')}>
      {tableTexts.create.action}
    </Button>
  );
  if (!may('tables_read'))
    return (
      <Page title={tableTexts.title} guide="tables">
        <EmptyState title={t.failures.forbidden.title} help={tableTexts.needsRead} />
      </Page>
    );
  return (
    <Page
      title={tableTexts.title}
      guide="tables"
      actions={
        <>
          <Link
            to="/w/$w/tables/sql"
            params={{ w }}
            className="inline-flex h-8 items-center rounded-2 px-3 text-label font-medium text-text-2 hover:bg-sunken hover:text-text pointer-coarse:min-h-11"
          >
            {words.askSql}
          </Link>
          {importButton}
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
            value={state}
            options={[
              { value: 'used', label: words.inUse },
              { value: 'platform', label: words.platform },
              { value: 'deleted', label: words.deleted },
            ]}
            onChange={(value) => show({ state: value })}
          />
          {query.data && (
            <span className="num ml-auto text-dense text-text-3">{words.count(query.data.pages[0]?.total ?? 0)}</span>
          )}
        </div>
        {query.isPending && <Loading rows={6} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
        {items.length > 0 && (
          <ul ref={list} className="divide-y divide-line rounded-3 border border-line">
            {items.map((table, index) => (
              <TableRow key={table.id} table={table} onGone={() => focusRow(list.current, index)} />
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
            icon={<Table2 size={20} aria-hidden />}
            {...(search
              ? { title: words.noneFound(search) }
              : { used: words.none, platform: words.nonePlatform, deleted: words.noneDeleted }[state])}
          >
            {search ? (
              <Button onClick={() => show({ search: '' })}>{t.ui.clearFilters}</Button>
            ) : (
              state === 'used' && (
                <>
                  {importButton}
                  {makeButton}
                </>
              )
            )}
          </EmptyState>
        )}
      </div>
      <Suspense>
        {dialog === 'new' && <NewTable onClose={() => setDialog(undefined)} />}
        {dialog === 'import' && (
          <ImportDialog onClose={() => setDialog(undefined)} onDone={(id) => void actions.open(id)} />
        )}
      </Suspense>
    </Page>
  );
}

/** After a row has gone, the one in its place gets the focus. */
function focusRow(list: HTMLElement | null, index: number): void {
  requestAnimationFrame(() => {
    const links = list?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [];
    links[Math.min(index, links.length - 1)]?.focus();
  });
}
