import { AtriumError } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { UserCheck } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { useShortcutRegistry } from '../../lib/shortcuts.ts';
import { sayTime } from '../../lib/time.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { useRunActions } from '../run/use-run-actions.ts';
import { ValueRows } from './value-view.tsx';

const words = flowTexts.thisRun;

/** The question of a step that waits, answered here. A and R work while the card has the focus. */
export function StepApproval({ runId, stepId, status }: { runId: string; stepId: string; status: string }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay();
  const { refresh } = useRunActions();
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const { data, refetch } = useQuery({
    queryKey: [w, 'runs', 'approvals', runId, status],
    queryFn: () => client.approvals.listOfRun(runId),
    enabled: status !== 'remaining' && status !== 'skipped',
  });
  const asked = data?.filter(({ node_id }) => node_id === stepId) ?? [];
  const open = asked.find(({ decision, decided_at }) => decision === null && decided_at === null);
  const decided = asked.filter(({ decision }) => decision !== null).at(-1);
  const decide = async (decision: 'approve' | 'reject') => {
    if (!open || busy) return;
    setBusy(true);
    try {
      await client.approvals.decideOfRun(runId, open.id, { decision, ...(note.trim() && { note: note.trim() }) });
    } catch (error) {
      if (error instanceof AtriumError && error.status === 409) sayToast({ text: words.decided });
      else sayFailure(error);
    }
    await Promise.all([refetch(), refresh()]);
    setBusy(false);
  };
  const onKey = (event: KeyboardEvent) => {
    const isField = event.target instanceof HTMLElement && event.target.tagName === 'INPUT';
    if (isField || event.ctrlKey || event.metaKey || !useShortcutRegistry.getState().singleKeys) return;
    const decision = { a: 'approve', r: 'reject' }[event.key.toLowerCase()] as 'approve' | 'reject' | undefined;
    if (!decision) return;
    event.preventDefault();
    void decide(decision);
  };
  if (open && status === 'waiting') {
    const refused = !may(open.needs) && `Needs the permission ${open.needs}`;
    return (
      <section
        aria-label={open.question}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: A and R answer while the card has the focus.
        tabIndex={0}
        onKeyDown={onKey}
        className="flex flex-col gap-3 rounded-3 border border-warn-line bg-warn-soft p-3"
      >
        <p className="flex gap-2 font-medium">
          <UserCheck size={16} aria-hidden className="mt-0.5 flex-none text-warn" />
          <span className="break-words">{open.question}</span>
        </p>
        <p className="text-caption text-text-2">{words.asked(sayTime(open.created_at))}</p>
        {open.details !== null && open.details !== undefined && (
          <div className="rounded-3 bg-surface">
            <ValueRows label={words.details} values={open.details} />
          </div>
        )}
        <Field label={words.note}>
          <TextInput value={note} maxLength={10_000} onChange={({ target }) => setNote(target.value)} />
        </Field>
        <div className="flex gap-2">
          <Button look="primary" busy={busy} refused={refused} onClick={() => void decide('approve')}>
            {words.approve}
          </Button>
          <Button look="danger" busy={busy} refused={refused} onClick={() => void decide('reject')}>
            {words.reject}
          </Button>
        </div>
      </section>
    );
  }
  if (!decided) return null;
  const by = decided.decided_by_actor?.name ?? decided.decided_by ?? words.someone;
  return (
    <p className="text-dense text-text-2">
      {decided.decision === 'approve' ? words.approved(by) : words.rejected(by)}
      {decided.decided_at && `, ${sayTime(decided.decided_at)}`}
      {decided.note && `: ${decided.note}`}
    </p>
  );
}
