import { Play } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayKeys, useShortcuts } from '../../lib/shortcuts.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { inputStepsOf } from '../run/run-inputs.ts';
import { useRunActions } from '../run/use-run-actions.ts';
import { useEditor, useFlow } from './editor-context.ts';
import { isLayerOpen } from './focus-step.ts';

const RunDialog = lazyPart(() => import('../run/run-dialog.tsx').then(({ RunDialog }) => ({ default: RunDialog })));
const words = flowTexts.head;

/** Runs the workflow as it is shown; asks for the values of its inputs where there are some. */
export function RunButton() {
  const { store, mayRun } = useEditor();
  const actions = useRunActions();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const hasFaults = useFlow((state) => state.faults.length > 0);
  const isEmpty = useFlow((state) => state.graph.nodes.length === 0);
  const refused =
    (!mayRun && workflowTexts.needsRun) || (hasFaults && words.hasFaults) || (isEmpty && flowTexts.canvas.none.title);
  const run = async () => {
    if (refused || busy || asking) return;
    if (inputStepsOf(store.getState().graph).length > 0) return setAsking(true);
    setBusy(true);
    try {
      await actions.start({});
    } catch (error) {
      sayFailure(error);
    }
    setBusy(false);
  };
  useShortcuts([{ keys: 'mod+enter', label: words.run, onPress: () => void (isLayerOpen() || run()) }]);
  return (
    <>
      <Button
        look="primary"
        icon={<Play size={14} aria-hidden />}
        busy={busy}
        refused={refused}
        onClick={() => void run()}
      >
        {words.run}
        <kbd aria-hidden className="border-current bg-transparent text-inherit opacity-80 max-narrow:hidden">
          {sayKeys('mod+enter')}
        </kbd>
      </Button>
      <Suspense>{asking && <RunDialog onClose={() => setAsking(false)} />}</Suspense>
    </>
  );
}
