import { z } from 'zod';
import * as s from '../schema/schema.ts';
import { providerKinds } from './provider-kinds.ts';

export const modelInfo = z
  .strictObject({
    /** provider/model, as settings name it. */
    name: z.string(),
    provider: z.string(),
    model: z.string(),
    kind: z.enum(['llm', 'extractive']),
    context_window: z.int(),
    max_output_tokens: z.int(),
    vision: z.boolean(),
    tools: z.boolean(),
    reasoning: z.boolean(),
    prompt_caching: z.boolean(),
    /** US dollars for a million tokens; null when not known. */
    price: z.strictObject({ input: z.number(), cached_input: z.number(), output: z.number() }).nullable(),
    quality: z.number(),
    speed: z.number(),
  })
  .meta({ id: 'ModelInfo' });

export const preset = z
  .strictObject({ name: z.string(), label: z.string(), description: z.string(), models: z.array(z.string()) })
  .meta({ id: 'Preset' });

export const presetSetting = preset
  .extend({
    /** Whether an administrator chose the models; otherwise they follow from the configured providers. */
    overridden: z.boolean(),
  })
  .meta({ id: 'PresetSetting' });

const masked = z.string().nullable();

/** A provider as it is shown; of its keys only the last characters. */
export const provider = z
  .strictObject({
    id: z.guid(),
    name: z.string(),
    provider: z.enum(providerKinds),
    base_urls: z.array(z.string()),
    api_key: masked,
    api_version: z.string().nullable(),
    region: z.string().nullable(),
    access_key_id: masked,
    secret_access_key: masked,
    models: z.array(z.string()),
    enabled: z.boolean(),
    /** Who stands behind its private addresses; null: only public and listed ones are spoken to. */
    private_allowed: z.enum(['environment', 'stored_before', 'org_admin']).nullable(),
    /** One that the environment configures can't be changed here. */
    source: z.enum(['environment', 'api']),
    created_at: z.iso.datetime().nullable(),
    updated_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Provider' });

export const providerTest = z
  .strictObject({
    success: z.boolean(),
    addresses: z.array(
      z.strictObject({
        base_url: z.string().nullable(),
        ok: z.boolean(),
        ms: z.int(),
        status: z.int().nullable(),
        message: z.string(),
        models: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'ProviderTest' });

const secret = s.str({ min: 1, max: 4000, secret: true });
const modelName = s.str({ min: 1, max: 300 });
const fields = {
  name: s.str({ pattern: /^[a-z0-9][a-z0-9._-]{0,62}$/ }),
  base_urls: s.list(s.str({ max: 500, pattern: /^https?:\/\/[^\s@]+$/ }), { max: 10 }),
  api_key: secret,
  api_version: s.str({ max: 50 }),
  region: s.str({ pattern: /^[a-z0-9-]{1,40}$/ }),
  access_key_id: secret,
  secret_access_key: secret,
  models: s.list(modelName, { max: 500 }),
  enabled: s.bool(),
};

const optionalFields = {
  name: s.optional(fields.name),
  api_key: s.optional(fields.api_key),
  api_version: s.optional(fields.api_version),
  region: s.optional(fields.region),
  access_key_id: s.optional(fields.access_key_id),
  secret_access_key: s.optional(fields.secret_access_key),
};

export const providerCreate = s
  .object({
    provider: s.oneOf(providerKinds),
    ...optionalFields,
    base_urls: s.withDefault(fields.base_urls, () => []),
    models: s.withDefault(fields.models, () => []),
    enabled: s.withDefault(fields.enabled, true),
  })
  .meta({ id: 'ProviderCreate' });

export const providerPatch = s
  .object({
    ...optionalFields,
    base_urls: s.optional(fields.base_urls),
    models: s.optional(fields.models),
    enabled: s.optional(fields.enabled),
  })
  .meta({ id: 'ProviderPatch' });

export const presetPut = s
  .object({ models: s.list(s.str({ min: 1, max: 300, pattern: /^(?!preset:)/ }), { min: 1, max: 20 }) })
  .meta({ id: 'PresetPut' });

export const providerParams = s.object({ provider_id: s.uuid('provider') });
export const presetParams = s.object({ preset_name: s.str({ pattern: /^[a-z0-9][a-z0-9_-]{0,62}$/ }) });

export type ModelInfo = z.output<typeof modelInfo>;
export type Preset = z.output<typeof preset>;
export type PresetSetting = z.output<typeof presetSetting>;
export type Provider = z.output<typeof provider>;
export type ProviderTest = z.output<typeof providerTest>;
export type ProviderCreate = z.output<typeof providerCreate>;
export type ProviderPatch = z.output<typeof providerPatch>;
