import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea, TextInput } from '../../ui/text-field.tsx';

const words = baseTexts.create;

export function NewBase({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const formId = useId();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const { busy, failure, faultOf, submit, form } = useSubmit(async () => {
    const made = await client.knowledgeBases.create({
      name: name.trim(),
      ...(description.trim() && { description: description.trim() }),
    });
    await queries.invalidateQueries({ queryKey: [w, 'knowledge_bases'] });
    onClose();
    await navigate({ to: '/w/$w/knowledge/$id/documents', params: { w, id: made.id } });
  });
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
      <form id={formId} ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={words.name} error={faultOf('name')}>
          <TextInput
            data-autofocus
            required
            maxLength={500}
            value={name}
            placeholder={words.namePlaceholder}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field label={words.description} error={faultOf('description')}>
          <TextArea
            value={description}
            maxLength={20_000}
            placeholder={words.descriptionPlaceholder}
            onChange={({ target }) => setDescription(target.value)}
          />
        </Field>
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
