import type { LanguageModelV4CallOptions, SharedV4Warning } from '@ai-sdk/provider';
import { isObject } from '../protocol.ts';
import type { ClaudeTraits } from './claude-models.ts';

export interface Thinking {
  /** The field of the request; undefined: the model does as it does by default. */
  field: { type: string; budget_tokens?: number; display?: string } | undefined;
  effort: string | undefined;
  warnings: SharedV4Warning[];
}

/** The smallest number of tokens to think with. */
const least = 1024;
const shares = { low: 0.1, medium: 0.3, high: 0.6 };

function withoutThinking(model: string, traits: ClaudeTraits): Thinking {
  const warning = (instead: string): SharedV4Warning[] => [
    {
      type: 'compatibility',
      feature: 'reasoning',
      details: `reasoning 'none' is not supported by ${model}; ${instead}`,
    },
  ];
  if (traits.notes_between_tools)
    return {
      field: { type: 'between_tools' },
      effort: undefined,
      warnings: warning(
        `thinking cannot be disabled. Using 'between_tools' thinking, the lowest thinking setting, instead.`,
      ),
    };
  if (traits.thinking_ends) return { field: { type: 'disabled' }, effort: undefined, warnings: [] };
  return {
    field: undefined,
    effort: 'low',
    warnings: warning(`it always uses adaptive thinking. Using effort 'low' to minimize thinking instead.`),
  };
}

/** How long a model is to think: by the number of tokens that the options have, or by an effort. */
export function thinkingOf(
  { reasoning, providerOptions }: LanguageModelV4CallOptions,
  model: string,
  traits: ClaudeTraits,
): Thinking {
  const budget = providerOptions?.['anthropic']?.['thinking'];
  if (isObject(budget)) {
    const tokens = Number(budget['budgetTokens']);
    return { field: { type: 'enabled', budget_tokens: tokens }, effort: undefined, warnings: [] };
  }
  if (reasoning === 'none') return withoutThinking(model, traits);
  if (reasoning !== 'low' && reasoning !== 'medium' && reasoning !== 'high')
    return { field: undefined, effort: undefined, warnings: [] };
  if (traits.thinks_by_effort)
    return { field: { type: 'adaptive', display: 'summarized' }, effort: reasoning, warnings: [] };
  const wanted = Math.max(least, Math.round(traits.max_tokens * shares[reasoning]));
  const budget_tokens = Math.min(traits.max_tokens, wanted);
  return { field: { type: 'enabled', budget_tokens }, effort: undefined, warnings: [] };
}
