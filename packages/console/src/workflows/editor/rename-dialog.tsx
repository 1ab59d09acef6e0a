import { type FormEvent, useId, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { useWorkflowActions } from '../list/use-workflow-actions.ts';
import { useEditor } from './editor-context.ts';

/** The name changes at once; the draft is not touched by it. */
export function RenameDialog({ onClose }: { onClose: () => void }) {
  const { store } = useEditor();
  const client = useClient();
  const { refresh } = useWorkflowActions();
  const formId = useId();
  const [name, setName] = useState(store.getState().workflow.name);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || !name.trim()) return;
    setBusy(true);
    try {
      await store.flush();
      const { id, etag } = store.getState().workflow;
      const workflow = await client.workflows.update(id, { name: name.trim() }, { ifMatch: etag });
      store.setState({ workflow });
      onClose();
      await refresh();
    } catch (error) {
      sayFailure(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={workflowTexts.rename}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} busy={busy} disabled={!name.trim()}>
            {t.ui.save}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)}>
        <Field label={workflowTexts.create.name}>
          <TextInput data-autofocus maxLength={500} value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
