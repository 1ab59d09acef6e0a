import { useId, useState } from 'react';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useSaveSets } from './question-sets.ts';

const words = searchTexts.quality;

export function NewSet({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const saveSets = useSaveSets();
  const formId = useId();
  const [name, setName] = useState('');
  const { busy, failure, submit, form } = useSubmit(async () => {
    const id = crypto.randomUUID();
    await saveSets((sets) => [...sets, { id, name: name.trim(), questions: [] }]);
    onMade(id);
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.newSetTitle}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} busy={busy} disabled={!name.trim()}>
            {words.makeSet}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={words.setName}>
          <TextInput
            data-autofocus
            required
            maxLength={200}
            value={name}
            placeholder={words.setPlaceholder}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
