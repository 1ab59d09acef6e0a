import type { FinishReason, ModelMessage, ModelTool, ModelUsage } from '../../drivers/models/driver.ts';
import type { Settings } from '../settings/settings.ts';
import { RunFailure } from './run-failure.ts';
import { estimateMessages, estimateTokens, estimateTools } from './tokens.ts';

type LimitSettings = Pick<Settings, 'max_tokens' | 'usage_limits_maximum_request' | 'usage_limits_maximum_tokens'>;

export interface Limits {
  /** What the next call may say at most, and about how much it is told. Throws when a limit leaves nothing to say. */
  reserve(
    messages: readonly ModelMessage[],
    tools: readonly ModelTool[],
    system: string,
  ): { max_tokens: number; input_tokens: number };
  /** What the call used. Throws when the limit, not the model, ended the reply: half a reply is no reply. */
  settle(usage: Pick<ModelUsage, 'input_tokens' | 'output_tokens'>, finish_reason?: FinishReason): void;
}

/**
 * Keeps a run within its model calls and its conversation within its tokens. Both are checked before a call, and a call
 * is granted no more than is left, so that neither is passed. One call at a time: a reservation lasts until the next.
 */
export function makeLimits(options: { settings: LimitSettings; used_tokens: number; calls_made?: number }): Limits {
  const { settings, used_tokens, calls_made = 0 } = options;
  const { usage_limits_maximum_request: most_calls, usage_limits_maximum_tokens: most_tokens } = settings;
  let calls = calls_made;
  let used = used_tokens;
  let estimated = 0;
  let lowered = false;
  // Grows when a model counts more than we do, so that a low guess is made once.
  let correction = 1;

  const usedUp = () =>
    new RunFailure(
      'usage_limit_reached',
      `The conversation has used ${used} of the ${most_tokens} tokens that usage_limits_maximum_tokens allows; what is left is too little for another reply`,
    );

  return {
    reserve(messages, tools, system) {
      if (calls >= most_calls)
        throw new RunFailure(
          'usage_limit_reached',
          `The run has made the ${most_calls} model calls that usage_limits_maximum_request allows`,
        );
      estimated = estimateMessages(messages) + estimateTools(tools) + estimateTokens(system);
      const input_tokens = Math.ceil(estimated * correction);
      const left = most_tokens - used - input_tokens;
      if (left < 1) throw usedUp();
      calls++;
      lowered = left < settings.max_tokens;
      return { max_tokens: Math.min(settings.max_tokens, left), input_tokens };
    },

    settle({ input_tokens, output_tokens }, finish_reason) {
      used += input_tokens + output_tokens;
      if (estimated > 0) correction = Math.max(correction, input_tokens / estimated);
      if (lowered && finish_reason === 'length') throw usedUp();
    },
  };
}
