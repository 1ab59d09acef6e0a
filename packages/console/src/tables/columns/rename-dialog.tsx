import type { TableColumn } from '@atrium/contract/tables/schema.ts';
import { useId, useState } from 'react';
import { useSubmit } from '../../lib/use-submit.ts';
import { columnTexts } from '../../text/table-columns.ts';
import { ui } from '../../text/ui.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useColumnActions } from './use-column-actions.ts';

/** Gives a column another name in rows, filters and SQL. */
export function RenameDialog({ column, onClose }: { column: TableColumn; onClose: () => void }) {
  const { client, table, take, explain, options } = useColumnActions();
  const formId = useId();
  const [name, setName] = useState(column.name);
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      const body = { new_name: name.trim() };
      await take(await client.columns.rename(table.id, column.name, body, options), columnTexts.saved(body.new_name));
      onClose();
    },
    { explain },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={columnTexts.renameTitle(column.name)}
      help={columnTexts.renameHelp}
      foot={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button
            look="primary"
            type="submit"
            form={formId}
            busy={busy}
            disabled={!name.trim() || name === column.name}
          >
            {columnTexts.renameSubmit}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label={columnTexts.name} help={columnTexts.nameHelp} error={faultOf('new_name')}>
          <TextInput mono data-autofocus required value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
