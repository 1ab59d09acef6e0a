import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { type Evaluation, useRefreshEvaluations } from '../evaluations.ts';

const words = evaluationTexts.rename;

export function RenameSet({ set, onClose }: { set: Evaluation; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefreshEvaluations();
  const [name, setName] = useState(set.name);
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      await client.evaluations.update(set.id, { name: name.trim() }, { ifMatch: set.etag });
      await refresh();
      onClose();
    },
    { check: () => ({ name: !name.trim() && evaluationTexts.create.nameFault }) },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} onClick={() => void submit()}>
            {words.submit}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FailureNote failure={failure} />
        <Field label={evaluationTexts.create.name} error={faultOf('name')}>
          <TextInput data-autofocus value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
