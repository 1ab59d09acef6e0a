import { sayTime } from '../../lib/time.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { compareGraphs } from '../graph/compare-graphs.ts';
import { copySteps } from '../graph/copy-steps.ts';
import { readGraph } from '../graph/read-graph.ts';
import { ChangeList } from '../tabs/change-list.tsx';
import { writeClipboard } from './clipboard.ts';
import { useEditor, useFlow } from './editor-context.ts';
import type { Conflict } from './workflow-store.ts';

const words = flowTexts.conflict;

/** Two people changed the same workflow: what differs, and the choice. It closes by a choice only. */
export function ConflictDialog({ conflict }: { conflict: Conflict }) {
  const { store, catalogue } = useEditor();
  const mine = useFlow((state) => state.graph);
  const theirs = readGraph(conflict.theirs.definition);
  const copy = async () => {
    const ids = [...mine.nodes, ...(mine.comments ?? [])].map(({ id }) => id);
    await writeClipboard(copySteps(mine, ids)).catch(sayFailure);
    sayToast({ text: words.copied });
  };
  return (
    <Dialog
      open
      wide
      sticky
      onClose={() => {}}
      title={words.title(conflict.by ?? words.somebody)}
      help={`${conflict.at ? `${sayTime(conflict.at)}. ` : ''}${words.help}`}
      foot={
        <>
          <Button look="ghost" onClick={() => void copy()}>
            {words.copyMine}
          </Button>
          <Button onClick={() => void store.resolve('theirs')}>{words.takeTheirs}</Button>
          <Button look="primary" onClick={() => void store.resolve('mine')}>
            {words.keepMine}
          </Button>
        </>
      }
    >
      <h3 className="mb-2 text-label">{words.mine}</h3>
      <ChangeList changes={compareGraphs(theirs, mine)} catalogue={catalogue} />
    </Dialog>
  );
}
