import { completionError } from '@atrium/contract/completions/completion-error.ts';
import type { Completion, CompletionUsage } from '@atrium/contract/completions/schema.ts';
import { AppError, conflict } from '@atrium/contract/errors.ts';
import type { RunError, RunEvent, Usage } from '@atrium/contract/runs/events.ts';
import type { Frame } from '../../lib/responses/sse-frame.ts';
import { applyRetractions } from '../messages/service.ts';
import {
  dropDiscardedAttempts,
  makeCompletionOutput,
  type OutputOptions,
  type OutputPiece,
} from './completion-output.ts';

/** The fields that all chunks of one completion share. */
export interface CompletionHead {
  /** Contains the id of the run. */
  id: string;
  created: number;
  model: string;
}

const usageOf = (usage: Usage | null): CompletionUsage => ({
  prompt_tokens: usage?.input_tokens ?? 0,
  completion_tokens: usage?.output_tokens ?? 0,
  total_tokens: (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0),
  prompt_tokens_details: { cached_tokens: usage?.cached_tokens ?? 0 },
  completion_tokens_details: { reasoning_tokens: usage?.reasoning_tokens ?? 0 },
});

/** Tells clients not to retry: the run has already tried all models. */
function errorOf({ code, message }: RunError): AppError {
  if (code === 'usage_limit_reached' || code === 'budget_reached' || code === 'run_stopped')
    return conflict(message, code);
  return new AppError('unavailable', message, { code, headers: { 'x-should-retry': 'false' } });
}

/** The completion of a run that is over. */
export function formatCompletion(
  head: CompletionHead,
  events: readonly RunEvent[],
  options: OutputOptions,
): Completion {
  const pieces = applyRetractions(dropDiscardedAttempts(events)).flatMap(makeCompletionOutput(options));
  const end = pieces.at(-1);
  if (end?.type === 'error') throw errorOf(end.error);
  if (end?.type !== 'end') throw new AppError('unavailable', 'The answer broke off', { code: 'run_interrupted' });
  const content = pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
  const tool_calls = pieces.flatMap((piece) => (piece.type === 'tool-calls' ? piece.calls : []));
  const called = tool_calls.length > 0;
  return {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          ...{ role: 'assistant', content: called ? content || null : content, refusal: null },
          ...(called && { tool_calls }),
          ...(end.annotations.length && { annotations: end.annotations }),
        },
        logprobs: null,
        finish_reason: end.finish_reason,
      },
    ],
    usage: usageOf(end.usage),
    ...(end.warnings.length && { warnings: [...end.warnings] }),
  };
}

const done: Frame = { data: '[DONE]' };

/** Formats the output of a run as chunks. With `include_usage` every chunk has the key, and one more at the end has the numbers. */
export function makeChunkFrames(head: CompletionHead, include_usage: boolean) {
  const chunk = (choices: object[], usage: CompletionUsage | null = null, more: object = {}): Frame => ({
    data: JSON.stringify({
      ...{ ...head, object: 'chat.completion.chunk', choices, ...more },
      ...(include_usage && { usage }),
    }),
  });
  const choice = (delta: object, finish_reason: string | null = null, more: object = {}) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason }], null, more);
  return {
    start: choice({ role: 'assistant', content: '', refusal: null }),
    of(piece: OutputPiece): Frame[] {
      if (piece.type === 'text') return [choice({ content: piece.text })];
      if (piece.type === 'tool-calls')
        return piece.calls.map((call, index) => choice({ tool_calls: [{ index, ...call }] }));
      if (piece.type === 'error')
        return [{ data: JSON.stringify(completionError(503, piece.error.code, piece.error.message)) }, done];
      const usage = include_usage ? [chunk([], usageOf(piece.usage))] : [];
      const { finish_reason, warnings, annotations } = piece;
      const delta = annotations.length ? { annotations } : {};
      return [choice(delta, finish_reason, warnings.length ? { warnings } : {}), ...usage, done];
    },
  };
}
