import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { signInTexts as words } from '../../text/admin/people.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { FormDialog } from '../shared/form-dialog.tsx';
import { useRoleOptions, useWorkspaces } from '../shared/queries.ts';
import { useRefresh } from '../shared/use-admin.ts';
import type { IdentityProvider } from './identity-providers.tsx';

/** A provider of single sign-on, new or changed. */
export function IdentityProviderDialog({ provider, onClose }: { provider?: IdentityProvider; onClose: () => void }) {
  const client = useClient();
  const { refresh } = useRefresh('identity-providers');
  const workspaces = useWorkspaces().data ?? [];
  const [typed, setTyped] = useState({
    name: provider?.name ?? '',
    issuer: provider?.issuer ?? '',
    client_id: provider?.client_id ?? '',
    client_secret: '',
    scope: provider?.scope ?? 'openid email profile',
    create_accounts: provider?.create_accounts ?? true,
    domains: provider?.allowed_domains.join(' ') ?? '',
    email_verified_required: provider?.email_verified_required ?? true,
    group_id: provider?.default_membership?.group_id ?? '',
    role_id: provider?.default_membership?.role_id ?? '',
  });
  const change = (changes: Partial<typeof typed>) => setTyped((old) => ({ ...old, ...changes }));
  const roles = useRoleOptions(typed.group_id);
  const role =
    roles.find(({ value }) => value === typed.role_id)?.value ?? roles.find(({ label }) => label === 'Reader')?.value;
  const save = async () => {
    const { domains, group_id, role_id: _, client_secret, ...plain } = typed;
    const body = {
      ...plain,
      ...(client_secret && { client_secret }),
      allowed_domains: domains.split(/[\s,]+/).filter(Boolean),
      ...(group_id && role && { default_membership: { group_id, role_id: role } }),
    };
    if (provider)
      await client.identityProviders.update(
        provider.id,
        { ...body, remove_default_membership: !group_id },
        { ifMatch: provider.etag },
      );
    else await client.identityProviders.create(body);
    await refresh();
  };
  const text = (key: 'name' | 'issuer' | 'client_id' | 'scope' | 'domains') => ({
    value: typed[key],
    onChange: ({ target }: { target: { value: string } }) => change({ [key]: target.value }),
  });
  return (
    <FormDialog
      wide
      title={provider ? words.editTitle(provider.name) : words.add}
      action={provider ? words.editTitle(provider.name) : words.addSubmit}
      onClose={onClose}
      send={save}
    >
      {(faultOf) => (
        <>
          <div className="grid gap-4 phone:grid-cols-2">
            <Field label={words.name} error={faultOf('name')}>
              <TextInput data-autofocus {...text('name')} />
            </Field>
            <Field label={words.issuer} help={words.issuerHelp} error={faultOf('issuer')}>
              <TextInput mono inputMode="url" {...text('issuer')} />
            </Field>
            <Field label={words.clientId} error={faultOf('client_id')}>
              <TextInput mono {...text('client_id')} />
            </Field>
            <Field
              label={words.secret}
              help={provider?.client_secret ? words.secretKept : words.secretHelp}
              error={faultOf('client_secret')}
            >
              <PasswordInput
                autoComplete="off"
                value={typed.client_secret}
                onChange={({ target }) => change({ client_secret: target.value })}
              />
            </Field>
            <Field label={words.scope} error={faultOf('scope')}>
              <TextInput mono {...text('scope')} />
            </Field>
            <Field label={words.domains} help={words.domainsHelp} error={faultOf('allowed_domains')}>
              <TextInput {...text('domains')} />
            </Field>
            <Field label={words.defaultPlace} error={faultOf('default_membership')}>
              <Select
                value={typed.group_id}
                empty={words.noPlace}
                options={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(group_id) => change({ group_id })}
              />
            </Field>
            {typed.group_id && (
              <Field label={words.role}>
                <Select value={role ?? ''} options={roles} onChange={(role_id) => change({ role_id })} />
              </Field>
            )}
          </div>
          <Checkbox
            label={words.create}
            checked={typed.create_accounts}
            onChange={(create_accounts) => change({ create_accounts })}
          />
          <Checkbox
            label={words.verified}
            checked={typed.email_verified_required}
            onChange={(email_verified_required) => change({ email_verified_required })}
          />
          {provider && (
            <>
              <p className="text-dense text-text-2">{words.mappings(provider.mappings.length)}</p>
              {[
                [words.redirect, provider.redirect_uri],
                [words.redirectOut, provider.post_logout_redirect_uri],
              ].map(([label = '', value = '']) => (
                <div key={label} className="flex items-end gap-2">
                  <Field label={label} className="flex-1">
                    <TextInput mono readOnly value={value} onFocus={({ target }) => target.select()} />
                  </Field>
                  <CopyButton text={value} about={label} />
                </div>
              ))}
            </>
          )}
        </>
      )}
    </FormDialog>
  );
}
