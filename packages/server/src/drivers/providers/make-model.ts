import type { JSONObject, LanguageModelV4 } from '@ai-sdk/provider';
import type { ProviderKind } from '@atrium/contract/models/provider-kinds.ts';
import { aiSdkModel } from '../models/ai-sdk/ai-sdk-model.ts';
import type { ProviderTraits } from '../models/ai-sdk/call-options.ts';
import { isStrictSchema } from '../models/ai-sdk/strict-schema.ts';
import type { Model, ModelRequest } from '../models/driver.ts';
import { isDefaultAddress, type ProviderAddress } from './driver.ts';
import { bedrockOptions, sdkOptions } from './sdk-options.ts';

type Dialect = 'responses' | 'chat' | Exclude<ProviderKind, 'openai' | 'openai-compatible'>;

function dialectOf({ provider, base_url, api }: ProviderAddress): Dialect {
  if (provider === 'openai') return api === 'responses' || isDefaultAddress('openai', base_url) ? 'responses' : 'chat';
  return provider === 'openai-compatible' ? 'chat' : provider;
}

/** Each package is loaded when the first model of it is asked. The environment is never read by them: all is given. */
async function languageModel(address: ProviderAddress, model: string): Promise<LanguageModelV4> {
  const common = sdkOptions(address);
  switch (dialectOf(address)) {
    case 'responses':
      return (await import('@ai-sdk/openai')).createOpenAI(common).responses(model);
    case 'chat':
      return (await import('@ai-sdk/openai-compatible'))
        .createOpenAICompatible({ ...common, name: 'compatible', includeUsage: true, supportsStructuredOutputs: true })
        .chatModel(model);
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(common)(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(common)(model);
    case 'mistral':
      return (await import('@ai-sdk/mistral')).createMistral(common)(model);
    case 'azure': {
      const { createAzure } = await import('@ai-sdk/azure');
      const version = address.api_version;
      if (!version || !/^\d{4}-/.test(version)) return createAzure(common)(model);
      return createAzure({ ...common, apiVersion: version, useDeploymentBasedUrls: true }).chat(model);
    }
    case 'bedrock':
      return (await import('@ai-sdk/amazon-bedrock')).createAmazonBedrock(bedrockOptions(address))(model);
  }
}

const knownModels = new WeakMap<ProviderAddress, Map<string, Promise<LanguageModelV4>>>();
const mostModels = 100;

/** Built once for an address and kept as long as that is: building one costs more than a whole answer's statements. */
function sharedModel(address: ProviderAddress, model: string): Promise<LanguageModelV4> {
  const ofAddress = knownModels.get(address) ?? new Map<string, Promise<LanguageModelV4>>();
  const known = ofAddress.get(model);
  if (known) return known;
  // Names come from callers and may be anything.
  if (ofAddress.size >= mostModels) ofAddress.clear();
  const made = languageModel(address, model);
  knownModels.set(address, ofAddress.set(model, made));
  made.catch(() => ofAddress.delete(model));
  return made;
}

/** Several calls in one step are what providers do by themselves; only the wish for one at a time is sent. */
const oneAtATime = (request: ModelRequest, left_out: ReadonlySet<string>) =>
  request.tools.length > 0 && !request.parallel_tool_calls && !left_out.has('parallel_tool_calls');

const strictness = ({ json_schema }: ModelRequest) =>
  json_schema ? { strictJsonSchema: isStrictSchema(json_schema) } : {};

const traitsOf: Record<Dialect, (model: string) => ProviderTraits> = {
  responses: () => ({
    // Nothing of a conversation is to be kept by the provider.
    options: (request, left_out) => ({
      key: 'openai',
      values: {
        store: false,
        ...strictness(request),
        ...(oneAtATime(request, left_out) && { parallelToolCalls: false }),
      },
    }),
    says_no_reasoning: true,
    needs_thoughts: false,
  }),
  chat: () => ({
    options: (request, left_out) => {
      const values: JSONObject = { ...strictness(request) };
      if (oneAtATime(request, left_out)) values['parallel_tool_calls'] = false;
      // Newer models take the same limit under a newer name.
      if (left_out.has('max_tokens')) values['max_completion_tokens'] = request.max_tokens;
      return { key: 'compatible', values };
    },
    says_no_reasoning: false,
    needs_thoughts: false,
  }),
  anthropic: () => ({
    options: (request, left_out) => ({
      key: 'anthropic',
      values: oneAtATime(request, left_out) ? { disableParallelToolUse: true } : {},
    }),
    cache_marker: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    says_no_reasoning: true,
    thinks_on_top: true,
    needs_thoughts: true,
  }),
  google: () => ({ options: () => ({ key: 'google', values: {} }), says_no_reasoning: true, needs_thoughts: false }),
  mistral: () => ({
    options: (request, left_out) => ({
      key: 'mistral',
      values: { ...strictness(request), ...(oneAtATime(request, left_out) && { parallelToolCalls: false }) },
    }),
    says_no_reasoning: false,
    needs_thoughts: false,
  }),
  azure: () => ({ ...traitsOf.responses(''), says_no_reasoning: false }),
  bedrock: (model) => ({
    options: () => ({ key: 'amazonBedrock', values: {} }),
    // Other models there refuse the marker.
    ...(/anthropic|nova/.test(model) && { cache_marker: { amazonBedrock: { cachePoint: { type: 'default' } } } }),
    says_no_reasoning: /anthropic/.test(model),
    thinks_on_top: true,
    needs_thoughts: /anthropic/.test(model),
  }),
};

/** A model at one address of a provider. Nothing is loaded or sent before it is asked. */
export function makeModel(address: ProviderAddress, model: string): Model {
  const secrets = [address.api_key, address.secret_access_key, address.access_key_id].filter((text) => text != null);
  return aiSdkModel((name) => sharedModel(address, name || model), traitsOf[dialectOf(address)](model), secrets);
}
