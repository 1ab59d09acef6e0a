import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useBase } from '../base/base-context.ts';
import { cleanPath, foldersQuery, type KbDocument, sayFolder } from '../queries.ts';
import { useBulk } from './use-bulk.ts';

const words = documentTexts.bulk;
const mostNames = 8;
export type BulkAction = 'move' | 'delete';

interface BulkDialogProps {
  action: BulkAction;
  items: readonly KbDocument[];
  onClose: () => void;
  onDone: () => void;
}

export const BulkDialog = (props: BulkDialogProps) =>
  props.action === 'move' ? <MoveDialog {...props} /> : <DeleteDialog {...props} />;

function DeleteDialog({ items, onClose, onDone }: BulkDialogProps) {
  const { change } = useBulk();
  const names = items.map(({ name }) => name);
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.deleteTitle(names)}
      help={words.deleteHelp}
      action={words.deleteSubmit(names.length)}
      onConfirm={async () => {
        await change(
          'delete',
          items.map(({ id }) => id),
        );
        onDone();
      }}
    >
      {names.length > 1 && (
        <ul className="list-disc pl-5 text-dense">
          {items.slice(0, mostNames).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {names.length > mostNames && <li>{words.andMore(names.length - mostNames)}</li>}
        </ul>
      )}
    </Confirm>
  );
}

function MoveDialog({ items, onClose, onDone }: BulkDialogProps) {
  const { change } = useBulk();
  const base = useBase();
  const { id: w } = useWorkspace();
  const { data: folders = [] } = useQuery(foldersQuery(useClient(), w, base.id));
  const formId = useId();
  const [prefix, setPrefix] = useState(sayFolder(items[0]?.prefix ?? '/'));
  const { busy, failure, faultOf, submit, form } = useSubmit(async () => {
    const ids = items.map(({ id }) => id);
    await change('move', ids, cleanPath(prefix));
    onDone();
    onClose();
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.moveTitle(items.length)}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" type="submit" form={formId} busy={busy}>
            {words.move}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={words.moveTo} help={words.moveHelp} error={faultOf('prefix')}>
          <TextInput
            data-autofocus
            list={`${formId}-folders`}
            value={prefix}
            maxLength={1000}
            onChange={({ target }) => setPrefix(target.value)}
          />
        </Field>
        <datalist id={`${formId}-folders`}>
          {folders.map((folder) => (
            <option key={folder} value={sayFolder(folder)} />
          ))}
        </datalist>
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
