import { Link } from '@tanstack/react-router';
import { Copy, Download, MoreHorizontal, Trash2, Undo2, Workflow } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { WorkflowSummary } from '../queries.ts';
import { RunStatusChip } from '../run/run-status.tsx';
import type { LastRun } from './use-last-runs.ts';
import { useWorkflowActions } from './use-workflow-actions.ts';

const DeleteWorkflow = lazyPart(() =>
  import('./delete-workflow.tsx').then(({ DeleteWorkflow }) => ({ default: DeleteWorkflow })),
);
const words = workflowTexts.list;

export function WorkflowRow({ workflow, lastRun }: { workflow: WorkflowSummary; lastRun: LastRun | undefined }) {
  const { id: w } = useWorkspace();
  const may = useMay();
  const actions = useWorkflowActions();
  const [deleting, setDeleting] = useState(false);
  const isDeleted = workflow.deleted_at !== null;
  const time = workflow.deleted_at ?? workflow.updated_at;
  const refused = !may('flows_edit') && workflowTexts.needsEdit;
  const mayNotDelete = !may('flows_delete') && workflowTexts.needsDelete;
  return (
    <li className="relative flex min-h-15 items-center gap-3 px-3.5 py-2 hover:bg-bg">
      <span aria-hidden className="grid size-8 flex-none place-items-center rounded-2 bg-sunken text-text-2">
        <Workflow size={16} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          {isDeleted ? (
            <span className="truncate font-medium">{workflow.name}</span>
          ) : (
            <Link
              to="/w/$w/workflows/$id"
              params={{ w, id: workflow.id }}
              data-row-link
              className="truncate font-medium text-text after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-2 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {workflow.name}
            </Link>
          )}
          <Chip tone={workflow.valid ? 'ok' : 'bad'} dot>
            {workflow.valid ? words.valid : words.faulty}
          </Chip>
          {workflow.type === 'agent_flow' && <Chip tone="info">{words.agentFlow}</Chip>}
        </p>
        <p className="flex flex-wrap items-center gap-2 text-dense text-text-2">
          {lastRun ? (
            <>
              <RunStatusChip status={lastRun.status} />
              <span>{sayTime(lastRun.at)}</span>
            </>
          ) : (
            words.noRun
          )}
        </p>
      </div>
      <Tooltip text={sayExactTime(time)}>
        <time dateTime={time} className="relative z-10 text-dense whitespace-nowrap text-text-3 max-phone:hidden">
          {isDeleted ? words.deletedAt(sayTime(time)) : sayTime(time)}
        </time>
      </Tooltip>
      <span className="relative z-10">
        {isDeleted ? (
          <Button
            size="small"
            icon={<Undo2 size={14} />}
            refused={mayNotDelete}
            onClick={() => void actions.restore(workflow)}
          >
            {workflowTexts.restore}
          </Button>
        ) : (
          <Menu
            trigger={<IconButton label={words.more(workflow.name)} icon={<MoreHorizontal size={16} />} />}
            groups={[
              [
                {
                  ...{ label: workflowTexts.duplicate, icon: <Copy size={15} />, refused },
                  onSelect: () => void actions.duplicate(workflow),
                },
                {
                  ...{ label: workflowTexts.exportIt, icon: <Download size={15} />, refused },
                  onSelect: () => void actions.download(workflow),
                },
              ],
              [
                {
                  ...{ label: workflowTexts.remove.action, icon: <Trash2 size={15} />, danger: true },
                  refused: mayNotDelete,
                  onSelect: () => setDeleting(true),
                },
              ],
            ]}
          />
        )}
      </span>
      <Suspense>{deleting && <DeleteWorkflow workflow={workflow} onClose={() => setDeleting(false)} />}</Suspense>
    </li>
  );
}
