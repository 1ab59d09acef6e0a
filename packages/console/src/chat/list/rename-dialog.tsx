import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure } from '../../ui/toast.tsx';

export function RenameDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const [value, setValue] = useState(name);
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (!value.trim()) return;
    setBusy(true);
    try {
      await client.conversations.update(id, { name: value.trim() });
      await queryClient.invalidateQueries({ queryKey: [w, 'conversations'] });
      onClose();
    } catch (error) {
      sayFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.chat.menu.renameTitle}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} disabled={!value.trim()} onClick={save}>
            {t.chat.menu.save}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label={t.chat.menu.name}>
          <TextInput value={value} maxLength={500} onChange={(event) => setValue(event.target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}
