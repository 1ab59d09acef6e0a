import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { useClient, useMay, useSession } from '../../api/session.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { type CaseResult, useRefreshEvaluations } from '../evaluations.ts';

const words = evaluationTexts.marks;

/** What people think of an answer. The verdict of the machine stays beside it. */
export function Marks({ setId, runId, result }: { setId: string; runId: string; result: CaseResult }) {
  const client = useClient();
  const { person } = useSession();
  const mayMark = useMay()('conversations_read');
  const refresh = useRefreshEvaluations();
  const mine = result.marks.find(({ marked_by }) => marked_by === person.id);
  const [note, setNote] = useState(mine?.note ?? '');
  const [busy, setBusy] = useState(false);
  const send = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      sayFailure(error);
    }
    await refresh();
    setBusy(false);
  };
  const mark = (passed: boolean) =>
    void send(() =>
      mine?.passed === passed && note.trim() === (mine.note ?? '')
        ? client.evaluationMarks.delete(setId, runId, result.case_id)
        : client.evaluationMarks.set(setId, runId, result.case_id, {
            passed,
            ...(note.trim() && { note: note.trim() }),
          }),
    );
  const others = result.marks.filter(({ marked_by }) => marked_by !== person.id);
  const isDisputed = result.marks[0] !== undefined && result.marks[0].passed !== result.passed;
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no form.
    <div role="group" aria-label={words.label(result.name)} className="flex flex-wrap items-center gap-2">
      <IconButton
        label={mine?.passed === true ? words.take : words.good}
        icon={<ThumbsUp size={15} />}
        on={mine?.passed === true}
        disabled={!mayMark || busy}
        onClick={() => mark(true)}
      />
      <IconButton
        label={mine?.passed === false ? words.take : words.bad}
        icon={<ThumbsDown size={15} />}
        on={mine?.passed === false}
        disabled={!mayMark || busy}
        onClick={() => mark(false)}
      />
      {mine && (
        <>
          <TextInput
            aria-label={words.note}
            placeholder={words.note}
            value={note}
            maxLength={2000}
            onChange={({ target }) => setNote(target.value)}
            className="max-w-70 flex-1"
          />
          {note.trim() !== (mine.note ?? '') && (
            <Button size="small" busy={busy} onClick={() => mark(mine.passed)}>
              {words.save}
            </Button>
          )}
        </>
      )}
      {others.map(({ marked_by, marked_by_actor, passed, note: why }) => (
        <span key={marked_by} className="text-caption text-text-2">
          {words.says(marked_by_actor?.name ?? words.somebody, passed)}
          {why && `, “${why}”`}
        </span>
      ))}
      {isDisputed && <Chip tone="warn">{words.disputed}</Chip>}
    </div>
  );
}
