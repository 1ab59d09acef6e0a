import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { flowTexts } from '../../text/workflow-editor.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import type { GraphChanges } from '../graph/compare-graphs.ts';
import { useWorkflowActions } from '../list/use-workflow-actions.ts';
import { loadWorkflow } from '../queries.ts';
import { ChangeList } from '../tabs/change-list.tsx';
import { useEditor } from './editor-context.ts';

const words = flowTexts.publish;

interface PublishProps {
  changes: GraphChanges;
  count: number;
  onClose: () => void;
}

/** Shows what differs from what is published, and publishes the draft with a note. */
export function PublishDialog({ changes, count, onClose }: PublishProps) {
  const { store, catalogue } = useEditor();
  const client = useClient();
  const { refresh } = useWorkflowActions();
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const publish = async () => {
    setBusy(true);
    try {
      await store.flush();
      const { workflow, status } = store.getState();
      if (status !== 'saved') return;
      const text = note.trim();
      await client.workflowDrafts.publish(workflow.id, { etag: workflow.etag, ...(text && { note: text }) });
      store.restart(await loadWorkflow(client, workflow.id, true));
      sayToast({ text: words.done(workflow.name) });
      onClose();
      await refresh();
    } catch (error) {
      sayFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.title(count)}
      help={words.help}
      foot={
        <>
          <Button onClick={onClose}>{words.later}</Button>
          <Button look="primary" busy={busy} onClick={() => void publish()}>
            {words.submit}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ChangeList changes={changes} catalogue={catalogue} />
        <Field label={words.note} help={words.noteHelp}>
          <TextArea data-autofocus value={note} maxLength={10_000} onChange={({ target }) => setNote(target.value)} />
        </Field>
      </div>
    </Dialog>
  );
}

/** Asks before the draft is given up. */
export function DiscardDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const { store } = useEditor();
  const client = useClient();
  const { refresh } = useWorkflowActions();
  const discard = async () => {
    await store.flush();
    const { id } = store.getState().workflow;
    await client.workflowDrafts.discard(id);
    store.restart(await loadWorkflow(client, id, true));
    sayToast({ text: flowTexts.discard.done });
    await refresh();
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={flowTexts.discard.title}
      help={flowTexts.discard.help(count)}
      action={flowTexts.discard.submit}
      onConfirm={discard}
    />
  );
}
