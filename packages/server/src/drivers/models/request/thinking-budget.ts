import type { JSONObject } from '@ai-sdk/provider';
import type { ModelRequest, ModelWarning } from '../driver.ts';

/** How a provider is told the number of tokens to reason with. Other providers take an effort and choose the number. */
export interface ThinkingBudget {
  /** The smallest number that the provider takes. */
  least: number;
  /** Whether the provider package sends `max_tokens` plus the budget as `max_tokens`. */
  added: boolean;
  /** The provider's own options for this number of tokens. */
  options(tokens: number): JSONObject;
}

const tokensOfEffort = { low: 6_400, medium: 19_200, high: 38_400 };
/** The rest of `max_tokens` is left to the reply. */
const largestShare = 0.6;

/** The tokens to reason with, inside `max_tokens`; 0 when the smallest budget of the provider does not fit. */
export function fitThinkingBudget(
  { model, max_tokens }: Pick<ModelRequest, 'model' | 'max_tokens'>,
  effort: keyof typeof tokensOfEffort,
  { least }: Pick<ThinkingBudget, 'least'>,
): { tokens: number; warning?: ModelWarning } {
  const wanted = tokensOfEffort[effort];
  const most = Math.floor(max_tokens * largestShare);
  if (wanted <= most) return { tokens: wanted };
  const tokens = most < least ? 0 : most;
  const message =
    tokens === 0
      ? `reasoning_lowered: no reasoning, because ${model} needs at least ${least} tokens for it and max_tokens is ${max_tokens}`
      : `reasoning_lowered: ${tokens} tokens instead of ${wanted}, so that reasoning and reply fit into max_tokens (${max_tokens})`;
  return { tokens, warning: { code: 'reasoning_lowered', message } };
}
