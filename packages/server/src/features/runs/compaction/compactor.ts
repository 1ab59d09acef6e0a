import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ModelMessage, ModelTool } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import { estimateMessages, estimateTokens, estimateTools } from '../../messages/service.ts';
import type { Tool } from '../../tools/ports.ts';
import { type CompactionRequest, makeCompactionTool } from './compaction-tool.ts';
import { messagesOf, tokensOf, type Unit, unitsOf } from './message-units.ts';
import { shortenMessages } from './shorten-messages.ts';
import { summaryOf } from './summarize.ts';

export interface CompactionOptions {
  system: string;
  tools?: readonly ModelTool[];
  /** Of the smallest model that may answer, in tokens. */
  context_window: number;
  /** The tokens reserved for the reply. */
  max_tokens: number;
  settings: Pick<Settings, 'compaction_enabled' | 'compaction_strategy' | 'compaction_threshold'>;
  /** Summarizes messages by a model call, in at most `max_tokens` tokens. */
  summarize(messages: readonly ModelMessage[], max_tokens: number): Promise<string>;
  /** Messages that must not go, besides the last of the user, open calls and the to-do list. */
  keep?: (message: ModelMessage) => boolean;
  request?: CompactionRequest;
  /** Tells a stopped run from a summary that failed. */
  signal?: AbortSignal;
}

const warning = (code: string, message: string): RunEvent => ({ type: 'warning', code, message });
const note = (text: string): Unit => {
  const messages: ModelMessage[] = [{ role: 'user', parts: [{ type: 'text', text }] }];
  return { messages, tokens: estimateMessages(messages), pinned: false };
};
const leftOut = '[Earlier messages were left out to make room.]';
const turns = ({ length }: { length: number }) =>
  length === 1 ? 'The oldest turn was' : `The ${length} oldest turns were`;

const tooLong = (tokens: number, window: number, why: string) =>
  new RunFailure('context_too_long', `About ${tokens} tokens do not fit the model's ${window}${why}`);

/** The oldest units to remove so that the remaining ones fit into `room`; pinned units are never removed. */
function oldestOver(units: readonly Unit[], room: number): Unit[] {
  const going: Unit[] = [];
  let tokens = tokensOf(units);
  // The model reacts to the newest unit: it may be cut later, but it is never removed.
  for (const unit of units.slice(0, -1)) {
    if (tokens <= room) break;
    if (unit.pinned) continue;
    going.push(unit);
    tokens -= unit.tokens;
  }
  return going;
}

/** Replaces the removed turns: their summary, or a note that they were removed. */
async function replaced(going: readonly Unit[], max_tokens: number, options: CompactionOptions) {
  const { compaction_strategy } = options.settings;
  if (compaction_strategy === 'truncate')
    return { first: note(leftOut), event: warning('context_truncated', `${turns(going)} left out to make room`) };
  try {
    const summary = await summaryOf(messagesOf(going), {
      ...options,
      max_tokens,
      // One call is quick; the summary strategy reads everything, in as many calls as it takes.
      calls: compaction_strategy === 'auto' ? 1 : 4,
    });
    const first = note(`[Summary of the conversation so far]\n${summary}`);
    return { first, event: warning('context_compacted', `${turns(going)} replaced by a summary to make room`) };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const message = `${turns(going)} left out to make room, because they could not be summarized`;
    return { first: note(leftOut), event: warning('compaction_failed', message) };
  }
}

/**
 * Fits the messages into the context window: summarizes the oldest turns, drops those that still do not fit, and cuts
 * single messages that are too long. Always terminates; the stored conversation does not change.
 */
export async function* compact(
  messages: ModelMessage[],
  options: CompactionOptions,
): AsyncGenerator<RunEvent, ModelMessage[]> {
  const { settings, context_window, max_tokens, request } = options;
  const fixed = estimateTokens(options.system) + estimateTools(options.tools ?? []);
  const said = estimateMessages(messages);
  if (!settings.compaction_enabled) {
    if (fixed + said < context_window) return messages;
    throw tooLong(fixed + said, context_window, '; compaction_enabled is off');
  }
  const asked = request?.asked ?? false;
  if (request) request.asked = false;
  // At most a quarter of the window is reserved for the reply, even when the settings allow a longer one.
  const most = Math.floor(context_window - Math.min(max_tokens, context_window / 4)) - fixed;
  const threshold = Math.min(most, Math.floor(settings.compaction_threshold * context_window) - fixed);
  if (said <= threshold && !asked) return messages;

  let units = unitsOf(messages, options.keep);
  const pinned = tokensOf(units.filter((unit) => unit.pinned));
  // Messages that must stay can fill the threshold alone; then everything else would be removed at every step.
  const roof = asked ? Math.min(said, threshold) : pinned < 0.8 * threshold ? threshold : most;
  if (said <= roof && !asked) return messages;
  // Well below the roof, or the next step would have to make room again.
  const spare = Math.floor((roof - pinned) / 2);
  const going = oldestOver(units, pinned + spare);
  if (going.length > 0) {
    const { first, event } = await replaced(going, Math.max(64, Math.floor(spare / 2)), options);
    units = [first, ...units.filter((unit) => !going.includes(unit))];
    yield event;
  }
  const kept = messagesOf(units);
  if (estimateMessages(kept) <= most) return kept;
  const short = shortenMessages(kept, most);
  if (!short) throw tooLong(fixed + estimateMessages(kept), context_window, ', even when shortened');
  yield warning('context_shortened', 'Long messages were cut in the middle to make room');
  return short;
}

/**
 * Compaction for one run: the function that the loop calls before each step, and the tool with which the agent requests
 * it.
 */
export function makeCompactor(options: Omit<CompactionOptions, 'request'>): {
  compact(messages: ModelMessage[]): AsyncGenerator<RunEvent, ModelMessage[]>;
  tool: Tool;
} {
  const request: CompactionRequest = { asked: false };
  return { compact: (messages) => compact(messages, { ...options, request }), tool: makeCompactionTool(request) };
}
