import { useNavigate } from '@tanstack/react-router';
import { Copy, Download, GitBranch, MoreHorizontal, Pencil, Trash2, Undo2 } from 'lucide-react';
import { type ReactNode, Suspense, useMemo, useState } from 'react';
import { useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { compareGraphs, countChanges } from '../graph/compare-graphs.ts';
import { readGraph } from '../graph/read-graph.ts';
import { useWorkflowActions } from '../list/use-workflow-actions.ts';
import { useEditor, useFlow } from './editor-context.ts';
import { RunButton } from './run-button.tsx';
import { SaveState } from './save-state.tsx';

const PublishDialog = lazyPart(() =>
  import('./publish-dialog.tsx').then(({ PublishDialog }) => ({ default: PublishDialog })),
);
const DiscardDialog = lazyPart(() =>
  import('./publish-dialog.tsx').then(({ DiscardDialog }) => ({ default: DiscardDialog })),
);
const ConflictDialog = lazyPart(() =>
  import('./conflict-dialog.tsx').then(({ ConflictDialog }) => ({ default: ConflictDialog })),
);
const RenameDialog = lazyPart(() =>
  import('./rename-dialog.tsx').then(({ RenameDialog }) => ({ default: RenameDialog })),
);
const DeleteWorkflow = lazyPart(() =>
  import('../list/delete-workflow.tsx').then(({ DeleteWorkflow }) => ({ default: DeleteWorkflow })),
);
const words = flowTexts.head;
const tabs = ['runs', 'triggers', 'versions'] as const;

/** The name of the workflow, its tabs, and what can be done with its draft. */
export function WorkflowHead({ children }: { children: ReactNode }) {
  const { mayEdit } = useEditor();
  const { id: w } = useWorkspace();
  const navigate = useNavigate();
  const may = useMay();
  const actions = useWorkflowActions();
  const workflow = useFlow((state) => state.workflow);
  const graph = useFlow((state) => state.graph);
  const faults = useFlow((state) => state.faults);
  const conflict = useFlow((state) => state.conflict);
  const [dialog, setDialog] = useState<'publish' | 'discard' | 'rename' | 'delete'>();
  const published = useMemo(() => readGraph(workflow.definition), [workflow.definition]);
  const changes = useMemo(() => compareGraphs(published, graph), [published, graph]);
  const count = countChanges(changes) || changes.steps.length;
  const refused = !mayEdit && workflowTexts.needsEdit;
  const close = () => setDialog(undefined);
  const base = `/w/${w}/workflows/${workflow.id}`;
  return (
    <Page
      title={workflow.name}
      guide="workflows"
      crumb={{ label: workflowTexts.title, to: `/w/${w}/workflows` }}
      beside={
        <Chip tone={faults.length || !workflow.valid ? 'bad' : 'ok'} dot>
          {faults.length ? words.faults(faults.length) : workflow.valid ? words.valid : workflowTexts.list.faulty}
        </Chip>
      }
      actions={
        <>
          <SaveState />
          <Menu
            trigger={<IconButton label={words.more} icon={<MoreHorizontal size={16} />} />}
            groups={[
              [
                {
                  ...{ label: workflowTexts.rename, icon: <Pencil size={15} />, refused },
                  onSelect: () => setDialog('rename'),
                },
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
                  ...{ label: words.discard, icon: <Undo2 size={15} />, danger: true },
                  refused: refused || (!workflow.draft && words.noDraft),
                  onSelect: () => setDialog('discard'),
                },
                {
                  ...{ label: workflowTexts.remove.action, icon: <Trash2 size={15} />, danger: true },
                  refused: !may('flows_delete') && workflowTexts.needsDelete,
                  onSelect: () => setDialog('delete'),
                },
              ],
            ]}
          />
          <Button
            icon={<GitBranch size={14} />}
            refused={refused || (count === 0 && words.noDraft) || (faults.length > 0 && words.hasFaults)}
            onClick={() => setDialog('publish')}
          >
            {words.publish}
          </Button>
          <RunButton />
        </>
      }
      tabs={
        <Tabs
          label={workflowTexts.tabs.label}
          tabs={[
            { label: words.steps, to: base, exact: true },
            ...tabs.map((tab) => ({ label: workflowTexts.tabs[tab], to: `${base}/${tab}` })),
          ]}
        />
      }
      scrolls={false}
    >
      {children}
      <Suspense>
        {dialog === 'publish' && <PublishDialog changes={changes} count={count} onClose={close} />}
        {dialog === 'discard' && <DiscardDialog count={count} onClose={close} />}
        {dialog === 'rename' && <RenameDialog onClose={close} />}
        {dialog === 'delete' && (
          <DeleteWorkflow
            workflow={workflow}
            onClose={close}
            onDone={() => void navigate({ to: '/w/$w/workflows', params: { w } })}
          />
        )}
        {conflict && <ConflictDialog conflict={conflict} />}
      </Suspense>
    </Page>
  );
}
