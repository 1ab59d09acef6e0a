import { useNavigate } from '@tanstack/react-router';
import { History, Pencil, Plus, Table2, Trash2, Upload } from 'lucide-react';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayKeys, useShortcuts } from '../../lib/shortcuts.ts';
import { useIsPhone } from '../../lib/use-is-phone.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { tableTexts } from '../../text/tables.ts';
import { ui } from '../../text/ui.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useTable, useWriteRefusal } from '../frame/table-context.ts';
import { TablePage } from '../frame/table-page.tsx';
import { DataGrid } from '../grid/data-grid.tsx';
import { gridColumns, type Place } from '../grid/grid-types.ts';
import { useAreaCommands } from '../grid/use-area-commands.ts';
import { useRowWrites } from '../grid/use-row-writes.ts';
import { useSelection } from '../grid/use-selection.ts';
import { useUndo } from '../grid/use-undo.ts';
import { ExportMenu } from './export-menu.tsx';
import { RowsFoot } from './rows-foot.tsx';
import { RowsToolbar } from './rows-toolbar.tsx';
import { nextSort } from './sort-popover.tsx';
import { useGridRows } from './use-grid-rows.ts';
import { useRecentRows } from './use-recent-rows.ts';
import { useRowHeight } from './use-row-height.ts';
import { useView } from './use-view.ts';

const RowHistory = lazyPart(() => import('./row-history.tsx').then(({ RowHistory }) => ({ default: RowHistory })));
const ImportDialog = lazyPart(() =>
  import('../import/import-dialog.tsx').then(({ ImportDialog }) => ({ default: ImportDialog })),
);
const noColumns: ReadonlySet<string> = new Set();

/** "12.customer": the twelfth row, as people count. */
function readPlace(cell: string | undefined, names: readonly string[]): Place {
  const [row = '', name = ''] = cell?.split('.', 2) ?? [];
  return { row: Math.max(0, Number.parseInt(row, 10) - 1 || 0), column: Math.max(0, names.indexOf(name)) };
}

/** The grid of a table with all that belongs to it. */
export function RowsPage() {
  const table = useTable();
  const refused = useWriteRefusal();
  const isPhone = useIsPhone();
  const rowHeight = useRowHeight();
  const navigate = useNavigate({ from: '/w/$w/tables/$id/' });
  const { view, rowView, show, change, hiddenColumns, cell } = useView(table.id);
  const columns = useMemo(() => gridColumns(table, hiddenColumns), [table, hiddenColumns]);
  const allColumns = useMemo(() => gridColumns(table, noColumns), [table]);
  const [first] = useState(() =>
    readPlace(
      cell,
      columns.map(({ name }) => name),
    ),
  );
  const [sumColumn, setSumColumn] = useState('');
  const { cache, rows, count, all, sum, rowAt, onView, isPending, error, retry } = useGridRows(
    ...([table.id, rowView, sumColumn] as const),
  );
  const selection = useSelection(first, Math.max(rows, 1), columns.length);
  const { active, area, editing, act } = selection;
  const writes = useRowWrites(table.id, cache);
  const commands = useAreaCommands({ cache, writes, columns, rows });
  const undo = useUndo(table.id, show);
  const tinted = useRecentRows(table.id, table.source === 'platform');
  const frame = useRef<HTMLDivElement>(null);
  const find = useRef<HTMLInputElement>(null);
  const [layer, setLayer] = useState<'history' | 'delete' | 'import'>();
  const activeColumn = columns[active.column];
  const isReadOnly = refused !== false || isPhone;
  const rowCount = area.bottom - area.top + 1;

  useEffect(() => setSumColumn(activeColumn?.isNumeric && !activeColumn.isId ? activeColumn.name : ''), [activeColumn]);
  const place =
    activeColumn && (active.row > 0 || active.column > 0) ? `${active.row + 1}.${activeColumn.name}` : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address follows the active cell once it rests.
  useEffect(() => {
    const timer = setTimeout(() => {
      if (place !== cell && rows > 0)
        void navigate({ search: (old) => ({ ...old, cell: place }), replace: true, resetScroll: false });
    }, 600);
    return () => clearTimeout(timer);
  }, [place]);

  useShortcuts([
    { keys: '/', label: rowTexts.find, onPress: () => find.current?.focus() },
    {
      ...{ keys: 'mod+z', outsideFields: true, onPress: undo.undo },
      label: undo.undoable ? rowTexts.undo(undo.undoable) : rowTexts.nothingToUndo,
    },
    {
      ...{ keys: 'mod+shift+z', outsideFields: true, onPress: undo.redo },
      label: undo.redoable ? rowTexts.redo(undo.redoable) : rowTexts.nothingToRedo,
    },
  ]);

  const addRow = async () => {
    if (!(await writes.insert())) return;
    if (rowView.filter || rowView.search || rowView.sort) sayToast({ text: rowTexts.added });
    else act({ do: 'go', to: { row: rows, column: Math.min(1, columns.length - 1) } });
    frame.current?.focus({ preventScroll: true });
  };
  const noRow = rows === 0 && rowTexts.none.title;
  const words = rowTexts.actions;
  const actions = [
    [
      {
        ...{ label: words.edit, icon: <Pencil size={15} />, keys: 'F2', refused: refused || noRow },
        // The menu gives the focus back first.
        onSelect: () => setTimeout(() => act({ do: 'edit' }), 50),
      },
      { label: words.copy, keys: sayKeys('mod+c'), refused: noRow, onSelect: () => void commands.copy(area) },
      {
        ...{ label: words.fill, keys: sayKeys('mod+d'), refused: refused || noRow },
        onSelect: () => void commands.fill(area),
      },
      { ...{ label: words.empty, keys: 'Del', refused: refused || noRow }, onSelect: () => void commands.empty(area) },
    ],
    [
      {
        ...{
          label: words.history,
          icon: <History size={15} />,
          refused: table.source === 'platform' ? tableTexts.isPlatform : noRow,
        },
        onSelect: () => setLayer('history'),
      },
      {
        ...{ label: words.delete(rowCount), icon: <Trash2 size={15} />, danger: true, refused: refused || noRow },
        onSelect: () => setLayer('delete'),
      },
    ],
  ];
  const activeId = rowAt(active.row)?.id;
  const isFiltered = Boolean(rowView.filter || rowView.search);
  const importButton = (
    <Button icon={<Upload size={15} />} refused={refused} onClick={() => setLayer('import')}>
      {tableTexts.importIt.action}
    </Button>
  );
  const addButton = (
    <Button look="primary" icon={<Plus size={15} />} refused={refused} onClick={() => void addRow()}>
      {words.insert}
    </Button>
  );
  return (
    <TablePage
      scrolls={false}
      actions={
        <>
          {importButton}
          <ExportMenu view={rowView} />
          {addButton}
        </>
      }
    >
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <RowsToolbar
          {...{
            table,
            columns: allColumns,
            view,
            hidden: hiddenColumns,
            onChange: change,
            undo,
            actions,
            refused,
            find,
          }}
          isRecent={tinted.size > 0}
        />
        {isPhone && !refused && <p className="px-3 py-1.5 text-caption text-text-2">{rowTexts.phone}</p>}
        {isPending && <Loading rows={8} onRetry={retry} />}
        {error && <ErrorState error={error} onRetry={retry} />}
        {!isPending && !error && rows === 0 ? (
          <div className="min-h-0 flex-1 overflow-y-auto">
            <EmptyState
              icon={<Table2 size={20} aria-hidden />}
              {...(isFiltered
                ? { title: rowTexts.noneShown.title, help: rowTexts.noneShown.help(all ?? 0) }
                : rowTexts.none)}
            >
              {isFiltered ? (
                <Button onClick={() => change({ filter: undefined, search: undefined }, rowTexts.commands.filter)}>
                  {ui.clearFilters}
                </Button>
              ) : (
                !refused && importButton
              )}
            </EmptyState>
          </div>
        ) : (
          <DataGrid
            label={rowTexts.grid(table.name)}
            {...{ columns, rows, rowHeight, rowAt, onView, tinted, selection, commands, isReadOnly, frame }}
            sort={view.sort ?? ''}
            onSort={(column) => change({ sort: nextSort(view.sort ?? '', column) }, rowTexts.commands.sort)}
            onEdit={(index, column, value) => void writes.edit(index, column, value)}
          />
        )}
        <RowsFoot {...{ count, all, sum, area, column: activeColumn }} isEditing={editing !== undefined} />
      </div>
      <Suspense>
        {layer === 'history' && activeId !== undefined && (
          <RowHistory tableId={table.id} rowId={activeId} refused={refused} onClose={() => setLayer(undefined)} />
        )}
        {layer === 'import' && <ImportDialog table={table} onClose={() => setLayer(undefined)} onDone={retry} />}
      </Suspense>
      {layer === 'delete' && (
        <Confirm
          open
          onClose={() => setLayer(undefined)}
          title={rowTexts.deleteTitle(rowCount)}
          help={rowTexts.deleteHelp}
          action={rowTexts.deleteSubmit(rowCount)}
          onConfirm={async () => {
            await writes.remove(await cache.load(area.top, area.bottom));
            act({ do: 'go', to: { row: area.top, column: active.column } });
            frame.current?.focus({ preventScroll: true });
          }}
        />
      )}
    </TablePage>
  );
}
