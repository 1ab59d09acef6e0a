import type { TableColumn } from '@atrium/contract/tables/schema.ts';
import { useQuery } from '@tanstack/react-query';
import { Columns3, MoreHorizontal, Plus, Undo2 } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { useRowKeys } from '../../agents/list/use-row-keys.ts';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayTime } from '../../lib/time.ts';
import { columnTexts } from '../../text/table-columns.ts';
import { tableTexts } from '../../text/tables.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useTable, useWriteRefusal } from '../frame/table-context.ts';
import { TablePage } from '../frame/table-page.tsx';
import { allTablesQuery } from '../queries.ts';
import { useColumnActions } from './use-column-actions.ts';

const ColumnDialog = lazyPart(() =>
  import('./column-dialog.tsx').then(({ ColumnDialog }) => ({ default: ColumnDialog })),
);
const RenameDialog = lazyPart(() =>
  import('./rename-dialog.tsx').then(({ RenameDialog }) => ({ default: RenameDialog })),
);
const RetypeDialog = lazyPart(() =>
  import('./retype-dialog.tsx').then(({ RetypeDialog }) => ({ default: RetypeDialog })),
);
const DropDialog = lazyPart(() => import('./drop-dialog.tsx').then(({ DropDialog }) => ({ default: DropDialog })));
const AboutDialog = lazyPart(() => import('./about-dialog.tsx').then(({ AboutDialog }) => ({ default: AboutDialog })));
type Layer = { kind: 'add' | 'about' } | { kind: 'edit' | 'rename' | 'retype' | 'drop'; column: TableColumn };

/** The columns of a table: add, edit, rename, change the type after a trial, drop, restore. */
export function ColumnsPage() {
  const table = useTable();
  const refused = useWriteRefusal();
  const mayDrop = useMay()('tables_delete');
  const [layer, setLayer] = useState<Layer>();
  const list = useRef<HTMLUListElement>(null);
  const actions = useColumnActions();
  useRowKeys(list);
  const close = () => setLayer(undefined);
  const addButton = (
    <Button look="primary" icon={<Plus size={15} />} refused={refused} onClick={() => setLayer({ kind: 'add' })}>
      {columnTexts.add}
    </Button>
  );
  return (
    <TablePage
      actions={
        <>
          <Button refused={refused} onClick={() => setLayer({ kind: 'about' })}>
            {columnTexts.about}
          </Button>
          {addButton}
        </>
      }
    >
      <div className="mx-auto flex max-w-260 flex-col gap-5 px-5 py-4 max-narrow:px-3">
        {table.columns.length === 0 ? (
          <EmptyState icon={<Columns3 size={20} aria-hidden />} {...columnTexts.none}>
            {addButton}
          </EmptyState>
        ) : (
          <ul ref={list} aria-label={columnTexts.list} className="divide-y divide-line rounded-3 border border-line">
            {table.columns.map((column) => (
              <li key={column.name} className="flex min-h-13 items-center gap-3 px-3.5 py-2">
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-x-2">
                    <span className="truncate font-medium">{column.label || column.name}</span>
                    <code className="font-mono text-caption text-text-3">{column.name}</code>
                  </p>
                  <ColumnFacts column={column} />
                </div>
                <span className="flex-none text-dense text-text-2">{tableTexts.types[column.type]}</span>
                <Button
                  size="small"
                  data-row-link
                  aria-label={columnTexts.editOf(column.name)}
                  refused={refused}
                  onClick={() => setLayer({ kind: 'edit', column })}
                >
                  {columnTexts.edit}
                </Button>
                <Menu
                  trigger={<IconButton label={columnTexts.more(column.name)} icon={<MoreHorizontal size={16} />} />}
                  groups={[
                    [
                      { label: columnTexts.rename, refused, onSelect: () => setLayer({ kind: 'rename', column }) },
                      { label: columnTexts.retype, refused, onSelect: () => setLayer({ kind: 'retype', column }) },
                    ],
                    [
                      {
                        ...{ label: columnTexts.drop, danger: true },
                        refused: refused || (!mayDrop && tableTexts.needsDelete),
                        onSelect: () => setLayer({ kind: 'drop', column }),
                      },
                    ],
                  ]}
                />
              </li>
            ))}
          </ul>
        )}
        {table.dropped_columns.length > 0 && (
          <section>
            <h2 className="mb-2 text-section">{columnTexts.droppedList}</h2>
            <ul className="divide-y divide-line rounded-3 border border-line">
              {table.dropped_columns.map(({ name, type, dropped_at }) => (
                <li key={`${name} ${dropped_at}`} className="flex min-h-11 items-center gap-3 px-3.5 py-2">
                  <code className="min-w-0 flex-1 truncate font-mono text-code">{name}</code>
                  <span className="text-dense text-text-2 max-phone:hidden">{tableTexts.types[type]}</span>
                  <span className="text-dense text-text-3">{columnTexts.droppedAt(sayTime(dropped_at))}</span>
                  <Button
                    size="small"
                    icon={<Undo2 size={14} />}
                    refused={refused}
                    onClick={() => void actions.restore(name)}
                  >
                    {columnTexts.restore}
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <Suspense>
        {layer?.kind === 'add' && <ColumnDialog onClose={close} />}
        {layer?.kind === 'edit' && <ColumnDialog column={layer.column} onClose={close} />}
        {layer?.kind === 'rename' && <RenameDialog column={layer.column} onClose={close} />}
        {layer?.kind === 'retype' && <RetypeDialog column={layer.column} onClose={close} />}
        {layer?.kind === 'drop' && <DropDialog column={layer.column} onClose={close} />}
        {layer?.kind === 'about' && <AboutDialog onClose={close} />}
      </Suspense>
    </TablePage>
  );
}

function ColumnFacts({ column }: { column: TableColumn }) {
  const { data: tables } = useQuery({
    ...allTablesQuery(useClient(), useWorkspace().id),
    enabled: column.references !== null,
  });
  const target = tables?.find(({ id }) => id === column.references)?.name;
  const facts = [
    column.default !== null && columnTexts.defaultIs(column.default),
    target,
    column.choices?.map(({ value, label }) => label ?? value).join(', '),
  ].filter(Boolean);
  return (
    <p className="flex flex-wrap items-center gap-2 text-caption text-text-3 empty:hidden">
      {facts.length > 0 && <span className="truncate">{facts.join(' · ')}</span>}
      {column.indexed && <Chip>{columnTexts.indexed}</Chip>}
    </p>
  );
}
