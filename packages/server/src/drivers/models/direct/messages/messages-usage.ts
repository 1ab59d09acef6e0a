import type { ModelUsage } from '@atrium/contract/models/model-usage.ts';
import type { MessagesUsage } from './messages-event.ts';

const counted = [
  ...['input_tokens', 'output_tokens', 'output_tokens_details', 'cache_creation_input_tokens'],
  ...['cache_read_input_tokens', 'iterations'],
] as const;

/** Keeps the newest number of each kind: the beginning and the end of an answer have different ones. */
export function mergeUsage(known: MessagesUsage, newer: MessagesUsage): MessagesUsage {
  const given = Object.entries(newer).filter(([name, value]) => counted.some((key) => key === name) && value !== null);
  return { ...known, ...Object.fromEntries(given) };
}

/** The tokens of an answer. The provider counts those of its cache apart. */
export function usageOf(usage: MessagesUsage): ModelUsage {
  const { iterations, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage;
  const served = iterations?.some(({ type }) => type === 'fallback_message') ? [] : (iterations ?? []);
  // An answer in several rounds has the tokens of the last one beside the list of all.
  const rounds = served.filter(({ type }) => type === 'compaction' || type === 'message');
  const sum = (name: 'input_tokens' | 'output_tokens') =>
    rounds.length ? rounds.reduce((total, round) => total + round[name], 0) : (usage[name] ?? 0);
  return {
    input_tokens: sum('input_tokens') + (written ?? 0) + (read ?? 0),
    cached_tokens: read ?? 0,
    output_tokens: sum('output_tokens'),
    reasoning_tokens: usage.output_tokens_details?.thinking_tokens ?? 0,
  };
}
