import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useMay, useSession, useWorkspace } from '../../api/session.ts';
import { keyTexts as words } from '../../text/admin/keys.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import { EndFields, endFault } from './end-fields.tsx';
import { endAfter } from './key-end.ts';
import type { MadeKey } from './keys-page.tsx';
import { type ChosenRights, RightsFields, rightsBody, rightsFault } from './rights-fields.tsx';

interface MakeKeyProps {
  /** The role that the key begins with. */
  role: string | undefined;
  onClose: () => void;
  onMade: (made: MadeKey) => void;
}

/** A new key. It ends after 90 days unless another end is chosen. */
export function MakeKey({ role, onClose, onMade }: MakeKeyProps) {
  const client = useClient();
  const { id: here } = useWorkspace();
  const { workspaces } = useSession();
  const isOrganization = useMay()('org:admin');
  const { refresh } = useRefresh('keys', 'service-accounts');
  const [name, setName] = useState('');
  const [workspace, setWorkspace] = useState(here);
  const [owner, setOwner] = useState('');
  const [end, setEnd] = useState({ after: '90', date: '' });
  const [limit, setLimit] = useState('');
  const [rights, setRights] = useState<ChosenRights>({ by: 'role', role: role ?? '', held: new Set() });
  const accounts = useQuery({
    queryKey: [here, 'service-accounts', workspace],
    queryFn: () => client.serviceAccounts.list(workspace),
  });
  const send = async () => {
    const expires_at = endAfter(end.after, end.date);
    const key = await client.keys.create(workspace, {
      ...{ name: name.trim(), ...rightsBody(rights) },
      ...(expires_at && { expires_at }),
      ...(owner && { service_account_id: owner }),
      ...(limit && { rate_limit: Number(limit) }),
    });
    await refresh();
    onMade({ name: key.name, value: key.value });
  };
  return (
    <FormDialog
      wide
      stays
      title={words.make}
      action={words.submit}
      onClose={onClose}
      check={() => ({ name: !name.trim() && words.needName, end: endFault(end), rights: rightsFault(rights) })}
      send={send}
    >
      {(faultOf) => (
        <>
          <div className="grid gap-4 phone:grid-cols-2">
            <Field label={words.name} error={faultOf('name')}>
              <TextInput data-autofocus value={name} onChange={({ target }) => setName(target.value)} />
            </Field>
            <Field label={words.owner} error={faultOf('service_account_id')}>
              <Select
                value={owner}
                empty={words.mine}
                options={(accounts.data ?? []).map((account) => ({ value: account.id, label: account.name }))}
                onChange={setOwner}
              />
            </Field>
            <EndFields end={end} error={faultOf('end') ?? faultOf('expires_at')} onChange={setEnd} />
            <Field label={words.limit} help={words.limitHelp} error={faultOf('rate_limit')}>
              <TextInput inputMode="numeric" value={limit} onChange={({ target }) => setLimit(target.value)} />
            </Field>
            {isOrganization && workspaces.length > 1 && (
              <Field label={words.workspace}>
                <Select
                  value={workspace}
                  options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
                  onChange={(next) => {
                    setWorkspace(next);
                    setOwner('');
                  }}
                />
              </Field>
            )}
          </div>
          <RightsFields
            rights={rights}
            workspace={workspace}
            error={faultOf('rights') ?? faultOf('role_id') ?? faultOf('permissions')}
            onChange={setRights}
          />
        </>
      )}
    </FormDialog>
  );
}
