import { AtriumError } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { agentTexts } from '../../text/agents.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import type { Difference } from './changes.ts';
import { DifferenceList } from './difference-list.tsx';
import { useDraft, useEditor } from './editor-context.ts';
import { GateRefusal } from './gate-refusal.tsx';

const words = agentTexts.publish;

/** Shows what differs from the published version, and publishes the draft with a note. */
export function PublishDialog({ differences, onClose }: { differences: readonly Difference[]; onClose: () => void }) {
  const { store, live, next, mayEdit } = useEditor();
  const { agent, status } = useDraft();
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<AtriumError>();
  const publish = async () => {
    setBusy(true);
    try {
      await store.flush();
      if (store.get().pending.size) return;
      const description = note.trim();
      const override = refusal && reason.trim();
      await client.agentVersions.create(agent.id, {
        publish: true,
        ...(description && { description }),
        ...(override && { override_reason: override }),
      });
      await queries.invalidateQueries({ queryKey: [w, 'agents'] });
      sayToast({ text: words.done(agent.name, next) });
      onClose();
    } catch (error) {
      if (error instanceof AtriumError && error.status === 409) setRefusal(error);
      else sayFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const isUnsaved = status !== 'saved' && status !== 'saving' && status !== 'waiting';
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.changesTitle(differences.length, live)}
      help={words.help}
      foot={
        <>
          <Button onClick={onClose}>{words.later}</Button>
          <Button
            look="primary"
            busy={busy}
            refused={(!mayEdit && agentTexts.needsEdit) || (isUnsaved && agentTexts.head[status])}
            onClick={() => void publish()}
          >
            {words.submit(next)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {refusal && <GateRefusal error={refusal} reason={reason} onReason={setReason} />}
        {differences.length ? <DifferenceList differences={differences} /> : <p>{words.none}</p>}
        {mayEdit && (
          <Field label={words.note} help={words.noteHelp}>
            <TextArea data-autofocus value={note} maxLength={10_000} onChange={({ target }) => setNote(target.value)} />
          </Field>
        )}
      </div>
    </Dialog>
  );
}
