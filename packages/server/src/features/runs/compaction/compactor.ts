import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ModelMessage, ModelTool } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import { isDatabaseOutage } from '../../../lib/outages/database-outages.ts';
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
  /** Stores a summary and which messages it covers, by their index in the whole list. */
  save?: (text: string, covered: ReadonlySet<number>) => Promise<unknown>;
}

/** The messages that compaction has replaced so far. The list lasts: the loop passes the whole list before every step. */
export interface CompactionMemory {
  /** The text that stands for the covered messages; null when there is none. */
  summary: string | null;
  /** The messages that are no longer sent, by their index in the whole list. */
  covered: Set<number>;
  /** Some of them are in no summary. */
  left_out: boolean;
  /** The warning about messages that are cut was given. */
  warned: boolean;
}

export const newMemory = (): CompactionMemory => ({
  summary: null,
  covered: new Set(),
  left_out: false,
  warned: false,
});

const warning = (code: string, message: string): RunEvent => ({ type: 'warning', code, message });
const note = (text: string): Unit => {
  const messages: ModelMessage[] = [{ role: 'user', parts: [{ type: 'text', text }] }];
  return { from: -1, messages, tokens: estimateMessages(messages), pinned: false };
};
const leftOut = '[Earlier messages were left out to make room.]';

/** The note in place of the covered messages; none when nothing is covered. */
function noteOf({ summary, left_out }: CompactionMemory): Unit[] {
  const told = summary === null ? [] : [`[Summary of the conversation so far]\n${summary}`];
  const texts = [...told, ...(left_out ? [leftOut] : [])];
  return texts.length ? [note(texts.join('\n\n'))] : [];
}

const turns = ({ length }: { length: number }) =>
  length === 1 ? 'The oldest turn was' : `The ${length} oldest turns were`;

/** The share of refused messages that is tried next. */
const stillTaken = 0.7;

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

/** Covers these units by a summary, which extends the one before, or leaves them out. */
async function cover(going: readonly Unit[], max_tokens: number, options: CompactionOptions, memory: CompactionMemory) {
  const { compaction_strategy } = options.settings;
  const replaced = going.filter(({ from }) => from >= 0);
  const coverAll = () => {
    for (const { from, messages } of replaced) for (const at of messages.keys()) memory.covered.add(from + at);
  };
  if (compaction_strategy === 'truncate') {
    coverAll();
    memory.left_out = true;
    return warning('context_truncated', `${turns(replaced)} left out to make room`);
  }
  let text: string;
  try {
    text = await summaryOf(messagesOf(going), {
      ...options,
      max_tokens,
      // One call is quick; the summary strategy reads everything, in as many calls as it takes.
      calls: compaction_strategy === 'auto' ? 1 : 4,
    });
  } catch (error) {
    if (options.signal?.aborted || isDatabaseOutage(error)) throw error;
    coverAll();
    memory.left_out = true;
    return warning(
      'compaction_failed',
      `${turns(replaced)} left out to make room, because they could not be summarized`,
    );
  }
  coverAll();
  memory.summary = text;
  // Messages left out before are in no summary, so it must not be stored as covered.
  if (!memory.left_out) await options.save?.(text, memory.covered);
  return warning('context_compacted', `${turns(replaced)} replaced by a summary to make room`);
}

/**
 * Fits the messages into the context window: summarizes the oldest turns, drops those that still do not fit, and cuts
 * single messages that are too long. Always terminates; the stored conversation does not change. `memory` is what earlier
 * calls have replaced: these messages stay replaced.
 */
export async function* compact(
  messages: ModelMessage[],
  options: CompactionOptions,
  memory = newMemory(),
): AsyncGenerator<RunEvent, ModelMessage[]> {
  const { settings, context_window, max_tokens, request } = options;
  const fixed = estimateTokens(options.system) + estimateTools(options.tools ?? []);
  if (!settings.compaction_enabled) {
    const tokens = fixed + estimateMessages(messages);
    if (tokens < context_window) return messages;
    throw tooLong(tokens, context_window, '; compaction_enabled is off');
  }
  const view = (): Unit[] => {
    const left = unitsOf(messages, options.keep).filter(({ from }) => !memory.covered.has(from));
    return [...noteOf(memory), ...left];
  };
  const sent = noteOf(memory).length ? messagesOf(view()) : messages;
  const said = estimateMessages(sent);
  const asked = request?.asked ?? false;
  if (request) request.asked = false;
  // At most a quarter of the window is reserved for the reply, even when the settings allow a longer one.
  const most = Math.floor(context_window - Math.min(max_tokens, context_window / 4)) - fixed;
  const threshold = Math.min(most, Math.floor(settings.compaction_threshold * context_window) - fixed);
  if (said <= threshold && !asked) return sent;

  let units = view();
  const pinned = tokensOf(units.filter((unit) => unit.pinned));
  // Messages that must stay can fill the threshold alone; then everything else would be removed at every step.
  const roof = asked ? Math.min(said, threshold) : pinned < 0.8 * threshold ? threshold : most;
  if (said <= roof && !asked) return sent;
  // Well below the roof, or the next step would have to make room again.
  const spare = Math.floor((roof - pinned) / 2);
  const going = oldestOver(units, pinned + spare);
  // The note of earlier compactions alone is no reason for another.
  if (going.some(({ from }) => from >= 0)) {
    yield await cover(going, Math.max(64, Math.floor(spare / 2)), options, memory);
    units = view();
  }
  const kept = messagesOf(units);
  if (estimateMessages(kept) <= most) return kept;
  const short = shortenMessages(kept, most);
  if (!short) throw tooLong(fixed + estimateMessages(kept), context_window, ', even when shortened');
  if (!memory.warned) yield warning('context_shortened', 'Long messages were cut in the middle to make room');
  memory.warned = true;
  return short;
}

/**
 * Compaction for one run: the function that the loop calls before each step, and the tool with which the agent requests
 * it.
 */
export function makeCompactor(
  options: Omit<CompactionOptions, 'request'>,
  memory = newMemory(),
): {
  compact(messages: ModelMessage[]): AsyncGenerator<RunEvent, ModelMessage[]>;
  /** Takes the window for smaller, since a model refused these messages; false when nothing may be left out. */
  narrow(stated: number | null, sent: readonly ModelMessage[]): boolean;
  tool: Tool;
} {
  const request: CompactionRequest = { asked: false };
  let { context_window } = options;
  return {
    compact: (messages) => compact(messages, { ...options, context_window, request }, memory),
    narrow(stated, sent) {
      if (!options.settings.compaction_enabled) return false;
      const fixed = estimateTokens(options.system) + estimateTools(options.tools ?? []);
      // Servers count other tokens than the estimate does: the next messages must be shorter than these.
      context_window = Math.min(stated ?? context_window, Math.floor((fixed + estimateMessages(sent)) * stillTaken));
      return true;
    },
    tool: makeCompactionTool(request),
  };
}
