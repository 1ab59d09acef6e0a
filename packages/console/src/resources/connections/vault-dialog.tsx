import type { ItemOf } from '@atrium/sdk';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh } from '../common/queries.ts';
import { SecretInput } from '../common/secret-input.tsx';

export type Vault = ItemOf<'vaultCredentials.list'>;
const words = connectionTexts.vaults;

/** How to reach a vault. Its token or secret id is written and never shown. */
export function VaultDialog({ vault, onClose }: { vault: Vault | undefined; onClose: () => void }) {
  const client = useClient();
  const refresh = useRefresh('vault-credentials');
  const [values, setValues] = useState({
    name: vault?.name ?? '',
    address: vault?.address ?? '',
    namespace: vault?.namespace ?? '',
    mount: vault?.mount ?? 'secret',
    auth_mount: vault?.auth_mount ?? 'approle',
    role_id: vault?.role_id ?? '',
    token: '',
    secret_id: '',
  });
  const [method, setMethod] = useState<'token' | 'approle'>(vault?.auth_method ?? 'token');
  type Name = keyof typeof values;
  const save = async () => {
    const { name, address, ...texts } = values;
    const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== ''));
    const body = { name: name.trim(), address: address.trim(), auth_method: method, ...given };
    const saved = vault
      ? await client.vaultCredentials.update(vault.id, body, { ifMatch: vault.etag })
      : await client.vaultCredentials.create(body);
    sayToast({ text: resourceTexts.saved(saved.name) });
    await refresh();
    onClose();
  };
  const { busy, failure, faultOf, submit, form } = useSubmit(save);
  const textField = (name: Name, label: string, more: { help?: string; required?: boolean; first?: boolean } = {}) => (
    <Field label={label} help={more.help} error={faultOf(name)}>
      <TextInput
        value={values[name]}
        required={more.required}
        data-autofocus={more.first}
        autoComplete="off"
        onChange={({ target }) => setValues({ ...values, [name]: target.value })}
      />
    </Field>
  );
  const secretField = (name: 'token' | 'secret_id', label: string) => (
    <Field label={label} help={words.secretHelp} error={faultOf(name)}>
      <SecretInput
        placeholder={vault?.[name] ? words.stored : undefined}
        onChange={(typed) => setValues({ ...values, [name]: typed })}
      />
    </Field>
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={vault ? resourceTexts.editTitle(vault.name) : words.add}
      help={words.addHelp}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} onClick={() => void submit()}>
            {vault ? t.ui.save : words.create}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        {textField('name', words.name, { required: true, first: true })}
        {textField('address', words.address, { required: true, ...(vault && { help: words.addressHelp }) })}
        <Field label={words.method} group>
          <Segmented
            label={words.method}
            value={method}
            options={(['token', 'approle'] as const).map((value) => ({ value, label: words.methods[value] }))}
            onChange={setMethod}
          />
        </Field>
        {method === 'token' && secretField('token', words.token)}
        {method === 'approle' && textField('role_id', words.roleId)}
        {method === 'approle' && secretField('secret_id', words.secretId)}
        {method === 'approle' && textField('auth_mount', words.authMount)}
        {textField('mount', words.mount)}
        {textField('namespace', words.namespace)}
        <FailureNote failure={failure} />
        <button type="submit" hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}
