import type { ModelRequest } from '../driver.ts';
import { AnswerError } from '../model-errors.ts';
import type { Refusals, Setting } from './call-options.ts';

const refusing =
  /not support|unsupported|unrecognized|unknown|unexpected|not permitted|not allowed|not accept|forbidden|extra (inputs|fields)/i;

/** The names of settings in refusals, the most specific first. */
const names: readonly (readonly [Setting, RegExp])[] = [
  ['reasoning_effort', /\breasoning(_effort|\.effort)?\b|\bthink(ing)?\b/i],
  ['parallel_tool_calls', /parallel_tool_calls/i],
  ['tool_choice', /tool_?choice/i],
  ['response_format', /response_?format|json_schema|json_object|structured output/i],
  ['presence_penalty', /presence_?penalty/i],
  ['frequency_penalty', /frequency_?penalty/i],
  ['stop_sequences', /\bstop(_?sequences)?\b/i],
  ['top_k', /top_?k\b/i],
  ['top_p', /top_?p\b/i],
  ['temperature', /\btemperature\b/i],
  ['max_tokens', /\bmax_tokens\b/i],
];

/** Whether a request has a setting that can be left out. */
export function wasAsked(setting: Setting, request: ModelRequest): boolean {
  if (setting === 'reasoning_effort') return request.reasoning !== 'off';
  if (setting === 'stop_sequences') return request.stop_sequences.length > 0;
  if (setting === 'parallel_tool_calls') return request.tools.length > 0 && !request.parallel_tool_calls;
  if (setting === 'tool_choice') return request.tools.length > 0 && (request.tool_choice ?? 'auto') !== 'auto';
  if (setting === 'response_format') return request.json_object === true || request.json_schema !== undefined;
  return true;
}

/** How servers state the most output tokens that they take. */
const statedLimits = [
  /at most (\d+)/i,
  /less than or equal to \D{0,3}(\d+)/i,
  /<= ?(\d+)/,
  /\d > (\d+), which is the maximum/i,
  /model limit of (\d+)/i,
  /range of max_tokens is \[\d+, ?(\d+)\]/i,
];
/** The first number that the server does not take any more. */
const excludedLimit = /to (\d+) \(exclusive\)/i;
/** How servers state what input and output may have together. */
const contextLimit = /maximum context length (?:is|of) (\d+)|`inputs` tokens \+ `max_new_tokens` must be <= (\d+)/i;
const inputTokens = /(\d+) (?:in|from) the (?:messages|input|prompt)|(\d+) (?:input|`inputs`) tokens/i;

export interface TokenLimit {
  max_tokens: number;
  /** It depends on the length of this input, so it does not hold for other requests. */
  once: boolean;
}

/** The first group of a pattern that has matched. */
const firstGroup = (pattern: RegExp, text: string) =>
  pattern
    .exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);

/** The most output tokens that a server takes, read from its refusal of a request for more. */
function findTokenLimit(text: string): TokenLimit | undefined {
  const context = firstGroup(contextLimit, text);
  if (context !== undefined) {
    const input = firstGroup(inputTokens, text);
    return input === undefined ? undefined : { max_tokens: Number(context) - Number(input), once: true };
  }
  if (!/max_?\w*_?tokens|maximum tokens/i.test(text)) return undefined;
  const excluded = excludedLimit.exec(text)?.[1];
  if (excluded !== undefined) return { max_tokens: Number(excluded) - 1, once: false };
  const stated = statedLimits.map((pattern) => pattern.exec(text)?.[1]).find((number) => number !== undefined);
  return stated === undefined ? undefined : { max_tokens: Number(stated), once: false };
}

/** How many stop sequences servers take that say only that these are too many. */
const usualStops = 4;
const statedStops = /(?:maximum|most|up to|more than|exceeds?|<=|allowed)\D{0,40}?(\d+)|(\d+) stop/i;

/** The most stop sequences that a server takes, read from its refusal of more. */
function findStopLimit(text: string, sent: number): number | undefined {
  if (
    !/\bstop(_?\s?sequences?)?\b/i.test(text) ||
    !/too (long|many)|maximum|most|up to|more than|exceed|<=/i.test(text)
  )
    return undefined;
  const limit = Number(firstGroup(statedStops, text) ?? usualStops);
  return limit > 0 && limit < sent ? limit : undefined;
}

/** Words about the schema of one request, which say nothing about other requests. */
const aboutOneSchema = /invalid[ _](json[ _])?schema|in schema|schema for/i;

const refusalText = (error: unknown) =>
  error instanceof AnswerError && (error.status === 400 || error.status === 422)
    ? `${error.message} ${error.body}`
    : undefined;

/** The part of a request that a server refuses, and whether it refuses it in other requests too. */
export function findRefusal(
  error: unknown,
  request: ModelRequest,
  known: Refusals,
): { setting: Setting; once: boolean } | TokenLimit | { stop_sequences: number } | undefined {
  const text = refusalText(error);
  if (text === undefined) return undefined;
  const asked = request.stop_sequences.length;
  const stops = findStopLimit(text, Math.min(asked, known.stop_sequences ?? asked));
  if (stops !== undefined) return { stop_sequences: stops };
  const setting = findRefusedSetting(text, request, known.settings);
  if (setting) return { setting, once: setting === 'response_format' && aboutOneSchema.test(text) };
  const limit = findTokenLimit(text);
  const sent = Math.min(request.max_tokens, known.max_tokens ?? request.max_tokens);
  return limit && limit.max_tokens > 0 && limit.max_tokens < sent ? limit : undefined;
}

/**
 * The setting that a provider refuses, read from its error. Which settings a model takes is known only to the server, so
 * a refused request is repeated without that setting instead of failing.
 */
function findRefusedSetting(text: string, request: ModelRequest, left_out: ReadonlySet<Setting>): Setting | undefined {
  if (!refusing.test(text)) return undefined;
  const [setting] =
    names.find(([name, pattern]) => !left_out.has(name) && wasAsked(name, request) && pattern.test(text)) ?? [];
  return setting;
}
