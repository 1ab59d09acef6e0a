import { addresses, key, names } from '../../lib/environment-fields.ts';
import { chatProtocol } from '../models/direct/chat/chat-protocol.ts';
import type { ProviderTraits } from '../models/request/call-options.ts';
import { defineProvider } from './define-provider.ts';
import { isDefaultAddress, type ProviderAddress } from './driver.ts';
import { chatTraits, compatibleImages } from './openai-compatible.ts';
import { forbidsParallelCalls, strictJsonOption } from './request-options.ts';
import { sdkOptions } from './sdk-options.ts';

const load = () => import('@ai-sdk/openai');

/** Other servers under OpenAI's name have `/chat/completions`, seldom the Responses API. */
const speaksResponses = ({ provider, base_url, api }: ProviderAddress) =>
  api === 'responses' || isDefaultAddress(provider, base_url);

export const responsesTraits: ProviderTraits = {
  options: (request, left_out) => ({
    key: 'openai',
    values: {
      // The provider must not store conversations.
      store: false,
      ...strictJsonOption(request),
      ...(forbidsParallelCalls(request, left_out) && { parallelToolCalls: false }),
    },
  }),
  says_no_reasoning: true,
  needs_thoughts: false,
};

export const openai = defineProvider({
  name: 'openai',
  environment: {
    variables: {
      OPENAI_API_KEY: key('OpenAI'),
      OPENAI_BASE_URL: addresses("Address to use instead of OpenAI's own, spoken to by /chat/completions"),
      OPENAI_MODELS: names('at OPENAI_BASE_URL, instead of asking it for its list'),
    },
    hint: 'OPENAI_API_KEY',
    account: ({ OPENAI_API_KEY: api_key, OPENAI_BASE_URL: base_urls, OPENAI_MODELS: models }) =>
      api_key || base_urls ? { api_key, base_urls, models } : undefined,
  },
  addresses: { default: 'https://api.openai.com/v1' },
  names: { family: /^(gpt-|chatgpt-|o\d(-|$))/, takes_unknown: true },
  protocol: (address) => (speaksResponses(address) ? undefined : chatProtocol),
  language: async (address, model) => (await load()).createOpenAI(sdkOptions(address)).responses(model),
  embedding: async (address, model) => (await load()).createOpenAI(sdkOptions(address)).embeddingModel(model),
  embeds_pictures: true,
  images: async (address, model) =>
    isDefaultAddress(address.provider, address.base_url)
      ? (await load()).createOpenAI(sdkOptions(address)).image(model)
      : compatibleImages(address, model),
  traits: (address) => (speaksResponses(address) ? responsesTraits : chatTraits),
});
