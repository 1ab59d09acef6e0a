import { addresses, key } from '../../lib/environment-fields.ts';
import { defineProvider } from './define-provider.ts';
import type { ProviderAddress } from './driver.ts';
import { sdkOptions } from './sdk-options.ts';

const connect = async (address: ProviderAddress) => (await import('@ai-sdk/google')).createGoogle(sdkOptions(address));

export const google = defineProvider({
  name: 'google',
  environment: {
    variables: {
      GOOGLE_API_KEY: key('Google (Gemini)'),
      GOOGLE_BASE_URL: addresses("Address to use instead of Google's own"),
    },
    hint: 'GOOGLE_API_KEY',
    account: ({ GOOGLE_API_KEY: api_key, GOOGLE_BASE_URL: base_urls }) =>
      api_key || base_urls ? { api_key, base_urls } : undefined,
  },
  addresses: {
    default: 'https://generativelanguage.googleapis.com/v1beta',
    headers: (api_key) => ({ 'x-goog-api-key': api_key }),
  },
  names: { family: /^gemini-/ },
  language: async (address, model) => (await connect(address))(model),
  embedding: async (address, model) => (await connect(address)).embeddingModel(model),
  images: async (address, model) => (await connect(address)).image(model),
  traits: (_, model) => ({
    options: () => ({ key: 'google', values: {} }),
    says_no_reasoning: true,
    // Later models take an effort and choose the number of tokens.
    ...(/gemini-2/.test(model) && {
      thinking_budget: {
        least: 512,
        added: false,
        options: (thinkingBudget) => ({ thinkingConfig: { thinkingBudget } }),
      },
    }),
    needs_thoughts: false,
  }),
});
