import { addresses, key } from '../../lib/environment-fields.ts';
import { messagesProtocol } from '../models/direct/messages/messages-protocol.ts';
import { defineProvider } from './define-provider.ts';
import { forbidsParallelCalls } from './request-options.ts';

/**
 * Whether a model takes a number of reasoning tokens. Claude models since 4.6 take an effort instead; models of other
 * makers at such an address are asked in the older way.
 */
export const thinksByBudget = (model: string) =>
  !model.includes('claude-') || /claude-(3|(opus|sonnet|haiku)-4(?!-[6-9]))/.test(model);

/** The smallest number of reasoning tokens that Claude models take. */
export const leastClaudeThinking = 1024;

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
  protocol: () => messagesProtocol,
  traits: (_, model) => ({
    options: (request, left_out) => ({
      key: 'anthropic',
      values: forbidsParallelCalls(request, left_out) ? { disableParallelToolUse: true } : {},
    }),
    cache_marker: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    says_no_reasoning: true,
    ...(thinksByBudget(model) && {
      thinking_budget: {
        least: leastClaudeThinking,
        added: true,
        options: (budgetTokens) => ({ thinking: { type: 'enabled', budgetTokens } }),
      },
    }),
    needs_thoughts: true,
  }),
});
