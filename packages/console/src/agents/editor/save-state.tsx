import { describeFailure } from '../../api/failures.ts';
import { sayTime } from '../../lib/time.ts';
import { agentTexts } from '../../text/agents.ts';
import { formTexts } from '../../text/forms.ts';
import { cx } from '../../ui/cx.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useDraft } from './editor-context.ts';

const words = agentTexts.head;
const bad = ['offline', 'failed', 'conflict', 'locked'];

/** Whether the draft is saved, in a few words, read out politely. */
export function SaveState() {
  const { status, agent, failure, faults } = useDraft();
  const { draft } = agent;
  const saved = !draft
    ? ''
    : draft.by_actor?.name && draft.at
      ? words.draftSavedBy(draft.by_actor.name, sayTime(draft.at))
      : words.draftSaved;
  const text =
    status === 'saved' ? saved : status === 'failed' && faults.size ? formTexts.faultCount(faults.size) : words[status];
  const { title, help } = failure ? describeFailure(failure) : { title: '', help: '' };
  const line = (
    <span
      role="status"
      className={cx(
        'text-dense',
        bad.includes(status) ? 'text-bad max-narrow:basis-full' : 'text-text-3 max-narrow:hidden',
      )}
    >
      {text}
    </span>
  );
  return failure ? <Tooltip text={`${title}. ${help}`}>{line}</Tooltip> : line;
}
