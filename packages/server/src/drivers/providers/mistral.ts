import { addresses, key } from '../../lib/environment-fields.ts';
import { defineProvider } from './define-provider.ts';
import type { ProviderAddress } from './driver.ts';
import { forbidsParallelCalls, strictJsonOption } from './request-options.ts';
import { sdkOptions } from './sdk-options.ts';

const connect = async (address: ProviderAddress) =>
  (await import('@ai-sdk/mistral')).createMistral(sdkOptions(address));

export const mistral = defineProvider({
  name: 'mistral',
  environment: {
    variables: {
      MISTRAL_API_KEY: key('Mistral'),
      MISTRAL_BASE_URL: addresses("Address to use instead of Mistral's own"),
    },
    hint: 'MISTRAL_API_KEY',
    account: ({ MISTRAL_API_KEY: api_key, MISTRAL_BASE_URL: base_urls }) =>
      api_key || base_urls ? { api_key, base_urls } : undefined,
  },
  addresses: { default: 'https://api.mistral.ai/v1' },
  names: { family: /^(mistral|ministral|magistral|codestral|devstral|pixtral)-/ },
  language: async (address, model) => (await connect(address))(model),
  embedding: async (address, model) => (await connect(address)).embeddingModel(model),
  traits: () => ({
    options: (request, left_out) => ({
      key: 'mistral',
      values: {
        ...strictJsonOption(request),
        ...(forbidsParallelCalls(request, left_out) && { parallelToolCalls: false }),
      },
    }),
    says_no_reasoning: false,
    needs_thoughts: false,
  }),
});
