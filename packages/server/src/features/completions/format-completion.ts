import { completionError } from '@atrium/contract/completions/completion-error.ts';
import type { Completion, CompletionUsage } from '@atrium/contract/completions/schema.ts';
import { AppError, conflict } from '@atrium/contract/errors.ts';
import type { RunError, RunEvent, Usage } from '@atrium/contract/runs/events.ts';
import type { Frame } from '../../lib/responses/sse-frame.ts';
import { applyRetractions } from '../messages/service.ts';
import { dropDiscardedAttempts, makeCompletionOutput, type OutputOptions, type Said } from './completion-output.ts';

/** What every answer to one request has in common. */
export interface Head {
  /** Holds the id of the run, under which everything else about it can be read. */
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

/** We have tried all there was to try: a client that repeats the call by itself would only pay twice. */
function failure({ code, message }: RunError): AppError {
  if (code === 'usage_limit_reached' || code === 'run_stopped') return conflict(message, code);
  return new AppError('unavailable', message, { code, headers: { 'x-should-retry': 'false' } });
}

/** The whole answer of a run that is over. */
export function wholeAnswer(head: Head, events: readonly RunEvent[], telling: OutputOptions): Completion {
  const said = applyRetractions(dropDiscardedAttempts(events)).flatMap(makeCompletionOutput(telling));
  const end = said.at(-1);
  if (end?.type === 'error') throw failure(end.error);
  if (end?.type !== 'end') throw new AppError('unavailable', 'The answer broke off', { code: 'run_interrupted' });
  const content = said.map((one) => (one.type === 'text' ? one.text : '')).join('');
  const tool_calls = said.flatMap((one) => (one.type === 'tool-calls' ? one.calls : []));
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
        },
        logprobs: null,
        finish_reason: end.finish_reason,
      },
    ],
    usage: usageOf(end.usage),
  };
}

const done: Frame = { data: '[DONE]' };

/** The same as chunks. With `include_usage` every chunk has the key, and one more at the end has the numbers. */
export function makeChunkFrames(head: Head, include_usage: boolean) {
  const chunk = (choices: object[], usage: CompletionUsage | null = null): Frame => ({
    data: JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...(include_usage && { usage }) }),
  });
  const choice = (delta: object, finish_reason: string | null = null) =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason }]);
  return {
    start: choice({ role: 'assistant', content: '', refusal: null }),
    of(said: Said): Frame[] {
      if (said.type === 'text') return [choice({ content: said.text })];
      if (said.type === 'tool-calls')
        return said.calls.map((call, index) => choice({ tool_calls: [{ index, ...call }] }));
      if (said.type === 'error')
        return [{ data: JSON.stringify(completionError(503, said.error.code, said.error.message)) }, done];
      const usage = include_usage ? [chunk([], usageOf(said.usage))] : [];
      return [choice({}, said.finish_reason), ...usage, done];
    },
  };
}
