import { Link } from '@tanstack/react-router';
import { BookOpen, MoreHorizontal, RefreshCw, Trash2 } from 'lucide-react';
import { useMay, useWorkspace } from '../../api/session.ts';
import { sayBytes } from '../../lib/numbers.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { BaseStatus } from '../base/base-status.tsx';
import { useBaseActions } from '../base/use-base-actions.ts';
import type { Base } from '../queries.ts';

const words = baseTexts.list;

export function BaseRow({ base, onDelete }: { base: Base; onDelete: () => void }) {
  const { id: w } = useWorkspace();
  const may = useMay();
  const { reindex, retryFailed } = useBaseActions(base.id);
  const facts = [words.documents(base.total_documents), sayBytes(base.size)];
  return (
    <li className="relative flex min-h-15 items-center gap-3 px-3.5 py-2 hover:bg-bg">
      <span className="grid size-8 flex-none place-items-center rounded-2 bg-sunken text-text-2">
        <BookOpen size={16} aria-hidden />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <Link
            to="/w/$w/knowledge/$id/documents"
            params={{ w, id: base.id }}
            data-row-link
            className="truncate font-medium text-text after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-2 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {base.name}
          </Link>
          <BaseStatus base={base} />
        </p>
        {base.description && <p className="truncate text-dense text-text-2">{base.description}</p>}
        <p className="num text-caption text-text-3">
          {facts.join(' · ')}
          {base.error_documents > 0 && <span className="text-bad"> · {words.failed(base.error_documents)}</span>}
        </p>
        {base.health.message && <p className="text-caption text-text-2">{base.health.message}</p>}
      </div>
      <Tooltip text={sayExactTime(base.updated_at)}>
        <time
          dateTime={base.updated_at}
          className="relative z-10 text-dense whitespace-nowrap text-text-3 max-phone:hidden"
        >
          {sayTime(base.updated_at)}
        </time>
      </Tooltip>
      <span className="relative z-10">
        <Menu
          trigger={<IconButton label={words.more(base.name)} icon={<MoreHorizontal size={16} />} />}
          groups={[
            [
              {
                ...{ label: baseTexts.reindex, icon: <RefreshCw size={15} />, onSelect: () => void reindex() },
                refused: !may('kbs_advanced') && baseTexts.needsAdvanced,
              },
              base.error_documents > 0 && {
                ...{ label: baseTexts.retryFailed, icon: <RefreshCw size={15} />, onSelect: () => void retryFailed() },
                refused: !may('kbs_edit') && baseTexts.needsEdit,
              },
            ],
            [
              {
                ...{ label: baseTexts.remove.action, icon: <Trash2 size={15} />, danger: true, onSelect: onDelete },
                refused: !may('kbs_delete') && baseTexts.needsDelete,
              },
            ],
          ]}
        />
      </span>
    </li>
  );
}
