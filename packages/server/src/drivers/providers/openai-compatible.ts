import type { ImageModelV4, JSONObject } from '@ai-sdk/provider';
import { addresses, key, names } from '../../lib/environment-fields.ts';
import { chatProtocol } from '../models/direct/chat/chat-protocol.ts';
import { chatOptionsKey } from '../models/direct/chat/chat-reader.ts';
import type { ProviderTraits } from '../models/request/call-options.ts';
import { defineProvider } from './define-provider.ts';
import type { ProviderAddress } from './driver.ts';
import { missingAddress } from './missing-fields.ts';
import { forbidsParallelCalls, strictJsonOption } from './request-options.ts';
import { sdkOptions } from './sdk-options.ts';

const load = () => import('@ai-sdk/openai-compatible');
const optionsOf = (address: ProviderAddress) => ({ ...sdkOptions(address), name: 'compatible' });

export const compatibleImages = async (address: ProviderAddress, model: string): Promise<ImageModelV4> =>
  (await load()).createOpenAICompatible(optionsOf(address)).imageModel(model);

export const chatTraits: ProviderTraits = {
  options: (request, left_out) => {
    const values: JSONObject = strictJsonOption(request);
    if (forbidsParallelCalls(request, left_out)) values['parallel_tool_calls'] = false;
    // Newer models take the same limit under a newer name.
    if (left_out.has('max_tokens')) values['max_completion_tokens'] = request.max_tokens;
    return { key: chatOptionsKey, values };
  },
  says_no_reasoning: false,
  needs_thoughts: false,
};

export const openaiCompatible = defineProvider({
  name: 'openai-compatible',
  environment: {
    variables: {
      OPENAI_COMPATIBLE_API_KEY: key('the server at OPENAI_COMPATIBLE_BASE_URL, where it wants one'),
      OPENAI_COMPATIBLE_BASE_URL: addresses(
        'Address of any other server that speaks /chat/completions (Ollama, vLLM, …)',
      ),
      OPENAI_COMPATIBLE_MODELS: names('there, instead of asking it for its list'),
    },
    hint: 'OPENAI_COMPATIBLE_BASE_URL',
    account: ({
      OPENAI_COMPATIBLE_API_KEY: api_key,
      OPENAI_COMPATIBLE_BASE_URL: base_urls,
      OPENAI_COMPATIBLE_MODELS: models,
    }) => base_urls && { api_key, base_urls, models },
  },
  addresses: { any_server: true, missing: (account) => missingAddress('openai-compatible', account) },
  names: { takes_unknown: true },
  protocol: () => chatProtocol,
  embedding: async (address, model) => (await load()).createOpenAICompatible(optionsOf(address)).embeddingModel(model),
  embeds_pictures: true,
  images: compatibleImages,
  traits: () => chatTraits,
});
