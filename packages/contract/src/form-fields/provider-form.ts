import { type ProviderKind, providerKinds } from '../models/provider-kinds.ts';
import { providerCreate } from '../models/schema.ts';
import type { Permission } from '../permissions.ts';
import { type Form, type FormField, fieldFrom, groupsOf, orderFields } from './form.ts';
import { type FieldText, valueForm } from './form-field.ts';

type Field = Exclude<keyof typeof providerCreate.shape, 'provider'>;

const texts: Record<Field, FieldText & { section: string }> = {
  name: {
    label: 'Name',
    help: 'The name before the slash in the names of its models; the kind of provider unless given.',
    section: 'General',
  },
  base_urls: {
    label: 'Addresses',
    help: "In the order to try them. Empty: the provider's own address.",
    section: 'Connection',
  },
  api_key: { label: 'API key', help: 'Stored encrypted and never shown again.', section: 'Connection' },
  api_version: {
    label: 'API version',
    help: 'A dated API version selects the older API for deployments.',
    ...{ section: 'Connection', advanced: true },
  },
  region: { label: 'Region', help: 'The AWS region.', section: 'Connection' },
  access_key_id: {
    label: 'Access key',
    help: 'The AWS access key, unless there is an API key.',
    section: 'Connection',
  },
  secret_access_key: {
    label: 'Secret access key',
    help: 'The AWS secret, unless there is an API key.',
    section: 'Connection',
  },
  models: {
    label: 'Models to offer',
    help: 'Empty: those that are known, or that the server at its address lists.',
    section: 'Models',
  },
  prices: {
    label: 'Prices',
    help: 'In US dollars for a million tokens, so that usage and budgets in money count what its models cost. Without a price they count as free.',
    ...{ section: 'Models', control: 'entries' },
  },
  enabled: { label: 'On', help: 'Whether its models can be used.', section: 'General' },
};
const defaults: Partial<Record<Field, unknown>> = { base_urls: [], models: [], prices: [], enabled: true };

const shared: readonly Field[] = ['name', 'base_urls', 'api_key', 'models', 'prices', 'enabled'];
interface Kind {
  label: string;
  help: string;
  fields: readonly Field[];
  required: readonly Field[];
}
const hosted = (label: string): Kind => ({
  ...{ label, help: `${label}, by its own address or a compatible one.`, fields: shared, required: ['api_key'] },
});
const kinds: Record<ProviderKind, Kind> = {
  openai: hosted('OpenAI'),
  anthropic: hosted('Anthropic'),
  google: hosted('Google'),
  mistral: hosted('Mistral'),
  azure: {
    ...{ label: 'Azure OpenAI', help: 'Deployments of models in Azure.', fields: [...shared, 'api_version'] },
    required: ['base_urls', 'api_key'],
  },
  bedrock: {
    ...{ label: 'Amazon Bedrock', help: 'Models of AWS, by an API key or by an access key with its secret.' },
    ...{ fields: [...shared, 'region', 'access_key_id', 'secret_access_key'], required: ['region'] },
  },
  'openai-compatible': {
    ...{ label: 'A server of ours', help: 'Any server that speaks the protocol of OpenAI: Ollama, vLLM and others.' },
    ...{ fields: shared, required: ['base_urls'] },
  },
};

const permission: Permission[] = ['settings_write'];

const fieldsOf = (kind: ProviderKind): FormField[] =>
  (Object.keys(texts) as Field[])
    .filter((key) => kinds[kind].fields.includes(key))
    .map((key) => {
      const { section, ...text } = texts[key];
      return fieldFrom(valueForm(providerCreate.shape[key], text), text, {
        ...{ key, variant: kind, path: [key], group: 'provider', section, permission },
        ...{ required: kinds[kind].required.includes(key), default: defaults[key] ?? null },
      });
    });

/** The form of a model provider, by its kind. */
export function providerForm(): Form {
  const text: FieldText = {
    ...{ label: 'Kind', help: 'The kind of provider, which decides the protocol; it cannot be changed.' },
    options: Object.fromEntries(providerKinds.map((kind) => [kind, kinds[kind].label])),
  };
  const fields = [
    fieldFrom(valueForm(providerCreate.shape.provider, text), text, {
      ...{ key: 'provider', path: ['provider'], group: 'provider', section: 'General', permission, required: true },
    }),
    ...providerKinds.flatMap(fieldsOf),
  ];
  return {
    ...{ kind: 'providers', label: 'Model providers', create: ['POST /v1/admin/providers'] },
    ...{ update: 'PATCH /v1/admin/providers/{provider_id}', variant_path: ['provider'] },
    variants: providerKinds.map((variant) => ({ variant, label: kinds[variant].label, help: kinds[variant].help })),
    groups: groupsOf(fields, { provider: 'Provider' }),
    fields: orderFields(fields),
  };
}
