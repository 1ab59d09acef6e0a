import type { ItemOf } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { MoreHorizontal, Table2, Trash2, Undo2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { tableTexts } from '../../text/tables.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useTableActions } from './use-table-actions.ts';

const DeleteTable = lazyPart(() => import('./delete-table.tsx').then(({ DeleteTable }) => ({ default: DeleteTable })));
type TableSummary = ItemOf<'tables.list', 'summary'>;
const words = tableTexts.list;

export function TableRow({ table, onGone }: { table: TableSummary; onGone: () => void }) {
  const { id: w } = useWorkspace();
  const may = useMay();
  const actions = useTableActions();
  const [deleting, setDeleting] = useState(false);
  const isDeleted = table.deleted_at !== null;
  const isPlatform = table.source === 'platform';
  const time = table.deleted_at ?? table.updated_at;
  return (
    <li className="relative flex min-h-15 items-center gap-3 px-3.5 py-2 hover:bg-bg">
      <span className="grid size-8 flex-none place-items-center rounded-2 bg-sunken text-text-3">
        <Table2 size={16} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          {isDeleted ? (
            <span className="truncate font-medium">{table.name}</span>
          ) : (
            <Link
              to="/w/$w/tables/$id"
              params={{ w, id: table.id }}
              data-row-link
              className="truncate font-medium text-text after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-2 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {table.name}
            </Link>
          )}
          <code className="font-mono text-caption text-text-3">{table.sql_name}</code>
          {isPlatform && <Chip>{words.readOnly}</Chip>}
        </p>
        {table.description && <p className="truncate text-dense text-text-2">{table.description}</p>}
      </div>
      {time && (
        <Tooltip text={sayExactTime(time)}>
          <time dateTime={time} className="relative z-10 text-dense whitespace-nowrap text-text-3 max-phone:hidden">
            {isDeleted ? words.deletedAt(sayTime(time)) : words.changed(sayTime(time))}
          </time>
        </Tooltip>
      )}
      <span className="relative z-10">
        {isDeleted && (
          <Button
            size="small"
            icon={<Undo2 size={14} />}
            refused={!may('tables_edit') && tableTexts.needsEdit}
            onClick={() => void actions.restore(table)}
          >
            {tableTexts.remove.undo}
          </Button>
        )}
        {!isDeleted && !isPlatform && (
          <Menu
            trigger={<IconButton label={words.more(table.name)} icon={<MoreHorizontal size={16} />} />}
            groups={[
              [
                {
                  ...{ label: tableTexts.remove.action, icon: <Trash2 size={15} />, danger: true },
                  refused: !may('tables_delete') && tableTexts.needsDelete,
                  onSelect: () => setDeleting(true),
                },
              ],
            ]}
          />
        )}
      </span>
      <Suspense>
        {deleting && <DeleteTable table={table} onClose={() => setDeleting(false)} onDone={onGone} />}
      </Suspense>
    </li>
  );
}
