import type { Permission } from '../permissions.ts';
import { onlyIf } from '../settings/key.ts';
import { variableCreate } from '../variables/schema.ts';
import { type Form, type FormField, fieldFrom, groupsOf, orderFields } from './form.ts';
import { type FieldText, valueForm } from './form-field.ts';

/** `value_type` and `source_type` are other names of `type` and `source`. */
type Field = Exclude<keyof typeof variableCreate.shape, 'value_type' | 'source_type'>;
type Source = 'inline' | 'vault' | 'environment';

const variants: Record<Source, { label: string; help: string }> = {
  inline: { label: 'Here', help: 'The value is kept by this server.' },
  vault: { label: 'In a vault', help: 'The value is read from a vault when it is needed.' },
  environment: { label: 'In the environment', help: 'The value is read from the environment of the server.' },
};

const texts: Record<Field, FieldText & { variant?: Source }> = {
  name: { label: 'Name', help: 'The name between the braces of `{{name}}`; unique in the workspace.' },
  type: {
    ...{ label: 'Type', help: 'How the value is read.' },
    options: {
      ...{ string: 'Text', number: 'Number', boolean: 'Yes or no', object: 'JSON', datetime: 'Date and time' },
      file: 'File',
    },
  },
  source: {
    ...{ label: 'Kept', help: 'Where the value is kept.' },
    options: Object.fromEntries(Object.entries(variants).map(([source, { label }]) => [source, label])),
  },
  is_secret: {
    ...{ label: 'Secret', help: 'The value is sealed and never shown again.' },
  },
  inline_value: { label: 'Value', help: 'The value, as text.', variant: 'inline' },
  vault_credential_id: {
    ...{ label: 'Vault', help: 'The credential to read the value with.', variant: 'vault' },
    ...{ control: 'reference', references: 'vault_credential' },
  },
  vault_path: { label: 'Path', help: 'The path of the secret in the vault.', variant: 'vault' },
  vault_key: { label: 'Key', help: 'The key in the secret of the vault.', variant: 'vault' },
  env_var_name: {
    ...{ label: 'Environment variable', help: 'The name of the environment variable of the server.' },
    variant: 'environment',
  },
  allowed_hosts: {
    label: 'Hosts it may be sent to',
    help: 'The only hosts that the secret is sent to: `api.example.com`, `*.example.com`, either with `:port`.',
    shown_when: onlyIf('is_secret', true),
  },
};
const defaults: Partial<Record<Field, unknown>> = { type: 'string', source: 'inline', is_secret: false };
const permission: Permission[] = ['variables_edit'];

/** The form of a variable, by where its value is kept. */
export function variableForm(): Form {
  const fields = (Object.keys(texts) as Field[]).map((key): FormField => {
    const { variant, ...text } = texts[key];
    return fieldFrom(valueForm(variableCreate.shape[key], text), text, {
      ...{ key, variant: variant ?? null, path: [key], group: 'variable', section: variant ? 'Value' : 'General' },
      ...{ permission, required: key === 'name' || variant !== undefined, default: defaults[key] ?? null },
    });
  });
  return {
    ...{ kind: 'variables', label: 'Variables', create: ['POST /v1/variables'] },
    ...{ update: 'PATCH /v1/variables/{variable_id}', variant_path: ['source'] },
    variants: Object.entries(variants).map(([variant, words]) => ({ variant, ...words })),
    groups: groupsOf(fields, { variable: 'Variable' }),
    fields: orderFields(fields),
  };
}
