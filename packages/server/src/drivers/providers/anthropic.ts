import { addresses, key } from '../../lib/environment-fields.ts';
import { defineProvider } from './define-provider.ts';
import { forbidsParallelCalls } from './request-options.ts';
import { sdkOptions } from './sdk-options.ts';

export const anthropic = defineProvider({
  name: 'anthropic',
  environment: {
    variables: {
      ANTHROPIC_API_KEY: key('Anthropic'),
      ANTHROPIC_BASE_URL: addresses("Address to use instead of Anthropic's own"),
    },
    hint: 'ANTHROPIC_API_KEY',
    account: ({ ANTHROPIC_API_KEY: api_key, ANTHROPIC_BASE_URL: base_urls }) =>
      api_key || base_urls ? { api_key, base_urls } : undefined,
  },
  addresses: {
    default: 'https://api.anthropic.com/v1',
    headers: (api_key) => ({ 'x-api-key': api_key, 'anthropic-version': '2023-06-01' }),
  },
  names: { family: /^claude-/ },
  language: async (address, model) => (await import('@ai-sdk/anthropic')).createAnthropic(sdkOptions(address))(model),
  traits: () => ({
    options: (request, left_out) => ({
      key: 'anthropic',
      values: forbidsParallelCalls(request, left_out) ? { disableParallelToolUse: true } : {},
    }),
    cache_marker: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    says_no_reasoning: true,
    thinks_on_top: true,
    needs_thoughts: true,
  }),
});
