import * as z from 'zod';
import { etag } from '../fields.ts';
import { objectOf } from '../keys-of.ts';
import * as s from '../schema/schema.ts';
import { providerKinds } from './provider-kinds.ts';

export const modelInfo = z
  .strictObject({
    name: z.string().describe('The name for settings: `provider/model`.'),
    provider: z.string().describe('The name of the provider; `atrium` for the built-in model.'),
    model: z.string().describe("The provider's own name of the model."),
    kind: z
      .enum(['llm', 'extractive', 'embedding', 'ranking', 'image'])
      .describe(
        'A language model; the built-in model, which searches and quotes but does not write (`extractive`); or a model of vectors, rankings or images, as its name says.',
      ),
    context_window: z.int().describe('The most tokens of input and output together.'),
    max_output_tokens: z
      .int()
      .nullable()
      .describe('The most tokens of one answer; requests for more are lowered to it. Null: not known.'),
    vision: z.boolean().describe('Whether the model reads images.'),
    tools: z.boolean().describe('Whether the model calls tools.'),
    reasoning: z.boolean().nullable().describe('Whether the model can reason before it answers. Null: not known.'),
    prompt_caching: z.boolean().describe('Whether the provider caches the beginning of prompts.'),
    price: z
      .strictObject({
        input: z.number().describe('US dollars for a million input tokens.'),
        cached_input: z.number().describe('US dollars for a million input tokens from the cache.'),
        output: z.number().describe('US dollars for a million output tokens.'),
      })
      .nullable()
      .describe('The prices. Null: not known.'),
    quality: z.number().describe('How capable the model is, from 1 to 10.'),
    speed: z.number().describe('How fast the model answers, from 1 to 10.'),
  })
  .meta({ id: 'ModelInfo' });

export const modelListQuery = s.query({
  kind: s
    .withDefault(s.oneOf(['llm', 'embedding', 'ranking', 'image', 'all']), 'llm')
    .describe('The kind of models to list; `llm` has the built-in model too.'),
});

/** What the organization has a default model for. */
export const defaultKinds = ['embedding', 'ranking', 'image', 'guardrail', 'insights'] as const;

const purposesOfDefaults = {
  embedding: 'Vectors of knowledge bases that name no model',
  ranking: 'The reranker `hosted` of knowledge bases',
  image: 'Images that agents make',
  guardrail: 'Guardrails',
  insights: 'Topics and questions of insights',
} satisfies Record<(typeof defaultKinds)[number], string>;

const defaultModel = z
  .strictObject({
    model: z.string().nullable().describe('The model in effect. Null: none is set.'),
    source: z
      .enum(['api', 'environment', 'none'])
      .describe('Where it comes from; one that was set by the API wins over the environment.'),
    environment: z
      .string()
      .nullable()
      .describe('What the environment of the server sets; `hosted` for a ranking service. Null: nothing.'),
  })
  .meta({ id: 'DefaultModel' });

export const modelDefaults = z
  .strictObject(objectOf(defaultKinds, (kind) => defaultModel.describe(`${purposesOfDefaults[kind]}.`)))
  .meta({ id: 'ModelDefaults' });

export const modelDefaultsPut = s
  .object(
    objectOf(defaultKinds, (kind) =>
      s
        .optional(s.str({ min: 1, max: 300 }))
        .describe(`${purposesOfDefaults[kind]}: a model as \`provider/model\`; left out, what the environment sets.`),
    ),
  )
  .meta({ id: 'ModelDefaultsPut' });

export const preset = z
  .strictObject({
    name: z.string().describe('The name; settings write it as `preset:NAME`.'),
    label: z.string().describe('The name to show to users.'),
    description: z.string().describe('What the preset is good for.'),
    models: z.array(z.string()).describe('Its models as `provider/model`, in the order to try them.'),
  })
  .meta({ id: 'Preset' });

export const presetSetting = preset
  .extend({
    overridden: z
      .boolean()
      .describe('Whether an administrator chose the models; otherwise they follow from the configured providers.'),
  })
  .meta({ id: 'PresetSetting' });

const priceDescriptions = {
  model: "The provider's own name of the model. Null: all models of the provider without a price of their own here.",
  input: 'US dollars for a million input tokens.',
  cached_input: 'US dollars for a million input tokens from the cache. Null: as other input.',
  output: 'US dollars for a million output tokens.',
};

const modelPrice = z
  .strictObject({
    model: z.string().nullable().describe(priceDescriptions.model),
    input: z.number().describe(priceDescriptions.input),
    output: z.number().describe(priceDescriptions.output),
    cached_input: z.number().nullable().describe(priceDescriptions.cached_input),
  })
  .meta({ id: 'ModelPrice' });

const masked = (what: string) =>
  z.string().nullable().describe(`${what}, masked: at most its last four characters. Null: there is none.`);

export const provider = z
  .strictObject({
    id: z.guid().describe('The id of the provider.'),
    name: z.string().describe('The name before the slash in the names of its models; unique.'),
    provider: z.enum(providerKinds).describe('The kind of provider, which decides the protocol.'),
    base_urls: z
      .array(z.string())
      .describe("Its addresses, in the order to try them. Empty: the provider's own address."),
    api_key: masked('The API key'),
    api_version: z.string().nullable().describe('Azure: a dated API version selects the older API for deployments.'),
    region: z.string().nullable().describe('Bedrock: the AWS region.'),
    access_key_id: masked('Bedrock: the AWS access key'),
    secret_access_key: masked('Bedrock: the AWS secret'),
    models: z
      .array(z.string())
      .describe('The models to offer. Empty: those that are known, or that the server at its address lists.'),
    prices: z
      .array(modelPrice)
      .describe('What its models cost, in place of the prices that are known. Empty: the known prices, if any.'),
    enabled: z.boolean().describe('Whether its models can be used.'),
    private_allowed: z
      .enum(['environment', 'stored_before', 'org_admin'])
      .nullable()
      .describe(
        'Why private addresses are allowed: the operator set them, they were stored before they needed a permission, or a key with `org:admin` saved them. Null: only public addresses and those that the operator lists are reached.',
      ),
    source: z
      .enum(['environment', 'api'])
      .describe('Where the provider comes from; one of the environment can not be changed by the API.'),
    created_at: z.iso
      .datetime()
      .nullable()
      .describe('When the record was created (ISO 8601, UTC). Null for a provider of the environment.'),
    updated_at: z.iso
      .datetime()
      .nullable()
      .describe('When the record was last changed (ISO 8601, UTC). Null for a provider of the environment.'),
    etag: etag
      .nullable()
      .describe('Changes with every change, for `If-Match`. Null for a provider of the environment.'),
  })
  .meta({ id: 'Provider' });

export const providerTest = z
  .strictObject({
    success: z.boolean().describe('Whether every address answered.'),
    addresses: z
      .array(
        z.strictObject({
          base_url: z.string().nullable().describe("The address. Null: the provider's own."),
          ok: z.boolean().describe('Whether it answered with a list of models.'),
          ms: z.int().describe('How long it took, in milliseconds.'),
          status: z.int().nullable().describe('The HTTP status. Null: no answer came.'),
          message: z.string().describe('What happened, in one sentence.'),
          models: z.array(z.string()).describe('The models that it listed.'),
        }),
      )
      .describe('One entry for each address.'),
  })
  .meta({ id: 'ProviderTest' });

const secret = s.str({ min: 1, max: 4000, secret: true });
const modelName = s.str({ min: 1, max: 300 });
/** More than any model costs, so that a price for one token is noticed. */
const dollars = s.number({ ge: 0, le: 100_000 });
const fields = {
  base_urls: s.list(s.str({ max: 500, pattern: /^https?:\/\/[^\s@]+$/ }), { max: 10 }),
  models: s.list(modelName, { max: 500 }),
  prices: s.list(
    s.object({
      model: s.optional(modelName).describe(priceDescriptions.model.replace('Null:', 'Left out:')),
      input: dollars.describe(priceDescriptions.input),
      output: dollars.describe(priceDescriptions.output),
      cached_input: s.optional(dollars).describe(priceDescriptions.cached_input.replace('Null:', 'Left out:')),
    }),
    { max: 500 },
  ),
  enabled: s.bool(),
};
const descriptions = {
  base_urls:
    "Its addresses, in the order to try them. Empty: the provider's own. Needed for `openai-compatible` and `azure`.",
  models: 'The models to offer. Empty: those that are known, or that the server at its address lists.',
  prices:
    'What its models cost, in US dollars for a million tokens, in place of the prices that are known. Models without a price cost nothing in usage and in budgets of money.',
  enabled: 'Whether its models can be used.',
};

const optionalFields = {
  name: s
    .optional(s.str({ pattern: /^[a-z0-9][a-z0-9._-]{0,62}$/ }))
    .describe('The name before the slash in the names of its models; the kind of provider unless given.'),
  api_key: s
    .optional(secret)
    .describe("The API key; needed at a provider's own address, and for Azure. It is stored encrypted."),
  api_version: s
    .optional(s.str({ max: 50 }))
    .describe('Azure: a dated API version selects the older API for deployments.'),
  region: s.optional(s.str({ pattern: /^[a-z0-9-]{1,40}$/ })).describe('Bedrock: the AWS region, which it needs.'),
  access_key_id: s.optional(secret).describe('Bedrock: the AWS access key, unless there is an API key.'),
  secret_access_key: s.optional(secret).describe('Bedrock: the AWS secret, unless there is an API key.'),
};

export const providerCreate = s
  .object({
    provider: s.oneOf(providerKinds).describe('The kind of provider, which decides the protocol.'),
    ...optionalFields,
    base_urls: s.withDefault(fields.base_urls, () => []).describe(descriptions.base_urls),
    models: s.withDefault(fields.models, () => []).describe(descriptions.models),
    prices: s.withDefault(fields.prices, () => []).describe(descriptions.prices),
    enabled: s.withDefault(fields.enabled, true).describe(descriptions.enabled),
  })
  .meta({ id: 'ProviderCreate' });

export const providerPatch = s
  .object({
    ...optionalFields,
    base_urls: s.optional(fields.base_urls).describe(descriptions.base_urls),
    models: s.optional(fields.models).describe(descriptions.models),
    prices: s.optional(fields.prices).describe(descriptions.prices),
    enabled: s.optional(fields.enabled).describe(descriptions.enabled),
  })
  .meta({ id: 'ProviderPatch' });

export const presetPut = s
  .object({
    models: s
      .list(s.str({ min: 1, max: 300, pattern: /^(?!preset:)/ }), { min: 1, max: 20 })
      .describe('The models as `provider/model`, in the order to try them; no presets.'),
  })
  .meta({ id: 'PresetPut' });

export const providerParams = s.object({ provider_id: s.uuid('provider').describe('The id of the provider.') });
export const presetParams = s.object({
  preset_name: s
    .str({ pattern: /^[a-z0-9][a-z0-9_-]{0,62}$/ })
    .describe('The name of the preset: cost, balanced, quality, speed, or one that an administrator created.'),
});

export type ModelInfo = z.output<typeof modelInfo>;
export type ModelListQuery = z.output<typeof modelListQuery>;
export type DefaultKind = (typeof defaultKinds)[number];
export type ModelDefaults = z.output<typeof modelDefaults>;
export type ModelDefaultsPut = z.output<typeof modelDefaultsPut>;
export type Preset = z.output<typeof preset>;
export type PresetSetting = z.output<typeof presetSetting>;
export type Provider = z.output<typeof provider>;
const milliseconds = z.int().nullable();
export const providerHealth = z
  .strictObject({
    provider_id: z.guid().describe('The id of the provider.'),
    name: z.string().describe('The name of the provider.'),
    state: z
      .enum(['off', 'unused', 'ok', 'slow', 'failing'])
      .describe(
        '`off`: switched off. `unused`: no call of the last 24 hours. `slow`: half of the calls of the last 15 minutes took more than twice as long as usual to begin, and a second more; from five calls on. `failing`: the last three calls or more of one of its models have failed, one of them in the last 24 hours.',
      ),
    failing_since: z.iso
      .datetime()
      .nullable()
      .describe('When the first of its models began to fail. Null: none fails.'),
    failing_models: z.array(z.string()).describe('Its models whose last calls failed, by name.'),
    calls: z.int().describe('Its calls of the last 24 hours, in all workspaces.'),
    failed: z.int().describe('How many of them failed.'),
    share: z.number().describe('Its part of the calls of all providers, from 0 to 1.'),
    first_token_ms: milliseconds.describe(
      'How long half of the calls of the last 15 minutes took at most until their first token; of the last 24 hours when there was none since. Null: no call had one.',
    ),
    usual_first_token_ms: milliseconds.describe('The same for the 24 hours before the last 15 minutes. Null: no call.'),
  })
  .meta({ id: 'ProviderHealth' });
export type ProviderHealth = z.output<typeof providerHealth>;
export type ProviderTest = z.output<typeof providerTest>;
export type ProviderCreate = z.output<typeof providerCreate>;
export type ProviderPatch = z.output<typeof providerPatch>;
