import { useId, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useBase } from '../base/base-context.ts';
import { useRefreshBase } from '../base/use-base-actions.ts';
import { sayFolder } from '../queries.ts';

const words = documentTexts.newFolder;

export function NewFolder({ at, onClose }: { at: string; onClose: () => void }) {
  const client = useClient();
  const base = useBase();
  const refresh = useRefreshBase();
  const formId = useId();
  const [name, setName] = useState('');
  const { busy, failure, faultOf, submit, form } = useSubmit(async () => {
    await client.documents.create(base.id, { name: name.trim(), prefix: at, status: 'folder' });
    await refresh();
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      help={words.help(sayFolder(at))}
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
            maxLength={1000}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
