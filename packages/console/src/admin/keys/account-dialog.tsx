import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { keyTexts, accountKeyTexts as words } from '../../text/admin/keys.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import { type ChosenRights, RightsFields, rightsBody, rightsFault } from './rights-fields.tsx';
import type { ServiceAccount } from './service-accounts.tsx';

/** A service account of this workspace, new or changed. */
export function AccountDialog({ account, onClose }: { account?: ServiceAccount; onClose: () => void }) {
  const client = useClient();
  const { id } = useWorkspace();
  const { refresh } = useRefresh('service-accounts', 'keys');
  const [name, setName] = useState(account?.name ?? '');
  const [rights, setRights] = useState<ChosenRights>({
    by: account && !account.role_id ? 'permissions' : 'role',
    role: account?.role_id ?? '',
    held: new Set(account?.permissions ?? []),
  });
  return (
    <FormDialog
      wide
      title={account ? words.editTitle(account.name) : words.make}
      action={account ? words.save : words.submit}
      onClose={onClose}
      check={() => ({ name: !name.trim() && keyTexts.needName, rights: rightsFault(rights) })}
      send={async () => {
        const body = { name: name.trim(), ...rightsBody(rights) };
        if (account) await client.serviceAccounts.update(id, account.id, body, { ifMatch: account.etag });
        else await client.serviceAccounts.create(id, body);
        await refresh();
      }}
    >
      {(faultOf) => (
        <>
          <Field label={keyTexts.name} error={faultOf('name')}>
            <TextInput data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
          </Field>
          <RightsFields
            rights={rights}
            workspace={id}
            error={faultOf('rights') ?? faultOf('role_id') ?? faultOf('permissions')}
            onChange={setRights}
          />
        </>
      )}
    </FormDialog>
  );
}
