import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { keyTexts as words } from '../../text/admin/keys.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import type { Key } from './key-list.tsx';
import type { MadeKey } from './keys-page.tsx';

/** A new value for a key; the old one goes on working for a while. */
export function RotateKey(props: { keyItem: Key; onClose: () => void; onMade: (made: MadeKey) => void }) {
  const { keyItem, onClose, onMade } = props;
  const client = useClient();
  const { refresh } = useRefresh('keys');
  const [overlap, setOverlap] = useState('3600');
  return (
    <FormDialog
      stays
      title={words.rotateTitle(keyItem.name)}
      help={words.rotateHelp}
      action={words.rotateAction}
      onClose={onClose}
      send={async () => {
        const body = { overlap_seconds: Number(overlap) };
        const made = await client.keys.rotate(keyItem.group_id, keyItem.id, body);
        await refresh();
        onMade({ name: made.name, value: made.value });
      }}
    >
      {() => (
        <Field label={words.overlap}>
          <Select
            data-autofocus
            value={overlap}
            options={Object.entries(words.overlapOptions).map(([value, label]) => ({ value, label }))}
            onChange={setOverlap}
          />
        </Field>
      )}
    </FormDialog>
  );
}
