import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { keyTexts as words } from '../../text/admin/keys.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import { type ChosenEnd, EndFields, endFault } from './end-fields.tsx';
import { endAfter } from './key-end.ts';
import type { Key } from './key-list.tsx';
import { type ChosenRights, RightsFields, rightsBody, rightsFault } from './rights-fields.tsx';

/** Name, rights, end and limit of a key; its value stays. Only what was changed is sent. */
export function ChangeKey({ keyItem, onClose }: { keyItem: Key; onClose: () => void }) {
  const client = useClient();
  const { refresh } = useRefresh('keys');
  const [name, setName] = useState(keyItem.name);
  const [end, setEnd] = useState<ChosenEnd>({ after: '', date: '' });
  const [limit, setLimit] = useState(keyItem.rate_limit === null ? '' : String(keyItem.rate_limit));
  const before: ChosenRights = {
    ...{ by: keyItem.role_id ? 'role' : 'permissions', role: keyItem.role_id ?? '' },
    held: new Set(keyItem.permissions),
  };
  const [rights, setRights] = useState<ChosenRights>(before);
  const isNewRights = JSON.stringify(rightsBody(rights)) !== JSON.stringify(rightsBody(before));
  return (
    <FormDialog
      wide
      title={words.editTitle(keyItem.name)}
      action={words.save}
      onClose={onClose}
      check={() => ({
        name: !name.trim() && words.needName,
        end: endFault(end),
        rights: !keyItem.tenant_admin && rightsFault(rights),
      })}
      send={async () => {
        const changes = {
          ...(name.trim() !== keyItem.name && { name: name.trim() }),
          ...(isNewRights && !keyItem.tenant_admin && rightsBody(rights)),
          ...(end.after && { expires_at: endAfter(end.after, end.date) ?? '' }),
          ...(Number(limit || 0) !== (keyItem.rate_limit ?? 0) && { rate_limit: Number(limit || 0) }),
        };
        await client.keys.update(keyItem.group_id, keyItem.id, changes, { ifMatch: keyItem.etag });
        await refresh();
        sayToast({ text: words.saved });
      }}
    >
      {(faultOf) => (
        <>
          <div className="grid gap-4 phone:grid-cols-2">
            <Field label={words.name} error={faultOf('name')}>
              <TextInput data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
            </Field>
            <Field label={words.limit} help={words.limitHelp} error={faultOf('rate_limit')}>
              <TextInput inputMode="numeric" value={limit} onChange={({ target }) => setLimit(target.value)} />
            </Field>
            <EndFields
              end={end}
              keep={words.keepRights}
              error={faultOf('end') ?? faultOf('expires_at')}
              onChange={setEnd}
            />
          </div>
          {!keyItem.tenant_admin && (
            <RightsFields
              rights={rights}
              workspace={keyItem.group_id}
              error={faultOf('rights') ?? faultOf('role_id') ?? faultOf('permissions')}
              onChange={setRights}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
