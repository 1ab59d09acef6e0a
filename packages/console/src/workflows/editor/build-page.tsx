import { useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Loading } from '../../ui/states.tsx';
import { Outline } from '../outline/outline.tsx';
import { RunBar } from '../run/run-bar.tsx';
import { useFollowRun } from '../run/use-follow-run.ts';
import { StepPanel } from '../step/step-panel.tsx';
import { BuildContext, type BuildDialog } from './build-context.ts';
import { BuildDialogs } from './build-dialogs.tsx';
import { useEditor, useFlow } from './editor-context.ts';
import { focusStep } from './focus-step.ts';
import { useSaid } from './said.ts';
import { Toolbar } from './toolbar.tsx';
import { useGraphCommands } from './use-graph-commands.ts';
import { useGraphKeys } from './use-graph-keys.ts';

const Canvas = lazyPart(() => import('../canvas/canvas.tsx').then(({ Canvas }) => ({ default: Canvas })));

/** The steps of a workflow, as a canvas or as an outline, with the panel of the opened step beside. */
export function BuildPage() {
  const { store, mayEdit } = useEditor();
  const { node: opened, run: runId, view: asked } = useSearch({ from: '/signed-in/w/$w/workflows/$id/' });
  const view: 'canvas' | 'outline' = asked ?? 'canvas';
  const navigate = useNavigate({ from: '/w/$w/workflows/$id/' });
  const commands = useGraphCommands();
  const [dialog, setDialog] = useState<BuildDialog>();
  const isEmpty = useFlow(({ graph }) => graph.nodes.length === 0 && !graph.comments?.length);
  const workflowId = useFlow((state) => state.workflow.id);
  const query = useFollowRun(workflowId, runId);
  const open = useCallback(
    (id: string | undefined, focus = false) => {
      if (id) store.choose([id]);
      void navigate({ search: (old) => ({ ...old, node: id }), replace: true });
      setFocused((count) => (focus ? count + 1 : 0));
    },
    [navigate, store],
  );
  const [focused, setFocused] = useState(0);
  // The step of the address is chosen when the page is opened with it.
  useEffect(() => {
    if (opened && !store.getState().chosen.includes(opened)) store.choose([opened]);
  }, [store, opened]);
  useGraphKeys({ commands, show: setDialog, open });
  const build = useMemo(() => ({ commands, view, opened, open, show: setDialog }), [commands, view, opened, open]);
  const close = () => {
    open(undefined);
    if (opened) focusStep(opened);
  };
  useShortcuts(opened ? [{ keys: 'escape', label: flowTexts.step.close, onPress: close }] : []);
  return (
    <BuildContext value={build}>
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Toolbar />
        <div className="relative flex min-h-0 flex-1">
          <div className="relative flex min-w-0 flex-1 flex-col bg-bg">
            {isEmpty ? (
              <EmptyState {...flowTexts.canvas.none}>
                {mayEdit && (
                  <Button look="primary" onClick={() => setDialog({ kind: 'add', after: undefined })}>
                    {flowTexts.toolbar.add}
                  </Button>
                )}
              </EmptyState>
            ) : view === 'outline' ? (
              <Outline />
            ) : (
              <Suspense
                fallback={
                  <div className="flex-1">
                    <Loading rows={6} />
                  </div>
                }
              >
                <Canvas />
              </Suspense>
            )}
            {runId && <RunBar error={query.error} />}
          </div>
          {opened && <StepPanel key={opened} id={opened} focused={focused} onClose={close} />}
        </div>
      </div>
      <Said />
      <BuildDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </BuildContext>
  );
}

/** What was done, read out. */
function Said() {
  const text = useSaid((state) => state.text);
  return (
    <p role="status" className="sr-only">
      {text}
    </p>
  );
}
