import { describeFailure } from '../../api/failures.ts';
import { sayTime } from '../../lib/time.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { cx } from '../../ui/cx.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useFlow } from './editor-context.ts';

const words = flowTexts.head;
const bad = ['offline', 'failed', 'conflict'];

/** Whether the draft is saved, in a few words, read out politely. */
export function SaveState() {
  const status = useFlow((state) => state.status);
  const failure = useFlow((state) => state.failure);
  const draft = useFlow((state) => state.workflow.draft);
  const saved = !draft
    ? words.saved
    : draft.by_actor?.name && draft.at
      ? words.draftBy(draft.by_actor.name, sayTime(draft.at))
      : words.draft;
  const line = (
    <span
      role="status"
      data-save-state={status}
      className={cx(
        'text-dense',
        bad.includes(status) ? 'text-bad max-narrow:basis-full' : 'text-text-3 max-narrow:hidden',
      )}
    >
      {status === 'saved' ? saved : words[status]}
    </span>
  );
  if (!failure) return line;
  const { title, help } = describeFailure(failure);
  return <Tooltip text={`${title}. ${help}`}>{line}</Tooltip>;
}
