import { type FormEvent, useId, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { workflowTexts } from '../../text/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { RadioCards } from '../../ui/radio-cards.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { templates } from './templates.ts';
import { useWorkflowActions } from './use-workflow-actions.ts';

const words = workflowTexts.create;
type Template = keyof typeof templates;
const names = Object.keys(templates) as Template[];

/** A new workflow with nothing in it, or with the steps of a template. */
export function NewWorkflow({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const actions = useWorkflowActions();
  const formId = useId();
  const [from, setFrom] = useState<Template>('empty');
  const [typed, setTyped] = useState<string>();
  const [busy, setBusy] = useState(false);
  const name = typed ?? (from === 'empty' ? '' : workflowTexts.templates[from].name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || !name.trim()) return;
    setBusy(true);
    try {
      const definition = { ...templates[from] };
      const made = await client.workflows.create({ name: name.trim(), drafts: true, definition });
      await actions.refresh();
      onClose();
      await actions.open(made.id);
    } catch (error) {
      sayFailure(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      help={words.help}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} busy={busy} disabled={!name.trim()}>
            {words.submit}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={words.name}>
          <TextInput
            data-autofocus
            required
            maxLength={500}
            value={name}
            placeholder={words.placeholder}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        <RadioCards
          label={words.from}
          value={from}
          cards={names.map((value) => {
            const { name: label, help } = workflowTexts.templates[value];
            return { value, label, help };
          })}
          onChange={setFrom}
        />
      </form>
    </Dialog>
  );
}
