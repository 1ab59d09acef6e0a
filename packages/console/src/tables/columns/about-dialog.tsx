import { useId, useState } from 'react';
import { useSubmit } from '../../lib/use-submit.ts';
import { columnTexts } from '../../text/table-columns.ts';
import { tableTexts } from '../../text/tables.ts';
import { ui } from '../../text/ui.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';
import { useColumnActions } from './use-column-actions.ts';

const words = tableTexts.create;

/** The name and the description of the table; its name in SQL stays. */
export function AboutDialog({ onClose }: { onClose: () => void }) {
  const { client, table, take, explain, options } = useColumnActions();
  const formId = useId();
  const [name, setName] = useState(table.name);
  const [description, setDescription] = useState(table.description ?? '');
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      const body = { name: name.trim(), description: description.trim() };
      await take(await client.tables.update(table.id, body, options));
      onClose();
    },
    { explain },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={columnTexts.aboutTitle}
      foot={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} busy={busy} disabled={!name.trim()}>
            {columnTexts.save}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={words.name} error={faultOf('name')}>
          <TextInput
            data-autofocus
            required
            maxLength={200}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field label={words.description} help={words.descriptionHelp} error={faultOf('description')}>
          <TextArea value={description} onChange={({ target }) => setDescription(target.value)} />
        </Field>
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
