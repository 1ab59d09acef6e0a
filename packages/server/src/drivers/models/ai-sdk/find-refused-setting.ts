import { APICallError } from '@ai-sdk/provider';
import type { ModelRequest } from '../driver.ts';
import type { Setting } from './call-options.ts';

const refusing =
  /not support|unsupported|unrecognized|unknown|unexpected|not permitted|not allowed|not accept|forbidden|extra (inputs|fields)/i;

const names: Record<Setting, RegExp> = {
  reasoning_effort: /\breasoning(_effort|\.effort)?\b|\bthink(ing)?\b/i,
  parallel_tool_calls: /parallel_tool_calls/i,
  tool_choice: /tool_?choice/i,
  response_format: /response_?format|json_schema|json_object|structured output/i,
  presence_penalty: /presence_?penalty/i,
  frequency_penalty: /frequency_?penalty/i,
  stop_sequences: /\bstop(_?sequences)?\b/i,
  top_k: /top_?k\b/i,
  top_p: /top_?p\b/i,
  temperature: /\btemperature\b/i,
  max_tokens: /\bmax_tokens\b/i,
};

function wasAsked(setting: Setting, request: ModelRequest): boolean {
  if (setting === 'reasoning_effort') return request.reasoning !== 'off';
  if (setting === 'stop_sequences') return request.stop_sequences.length > 0;
  if (setting === 'parallel_tool_calls') return !request.parallel_tool_calls;
  if (setting === 'tool_choice') return request.tools.length > 0 && (request.tool_choice ?? 'auto') !== 'auto';
  if (setting === 'response_format') return request.json_object === true || request.json_schema !== undefined;
  return true;
}

/**
 * The setting that a provider refuses, read from its error. Which settings a model takes is known only to the server, so
 * a refused request is repeated without that setting instead of failing.
 */
export function findRefusedSetting(
  error: unknown,
  request: ModelRequest,
  left_out: ReadonlySet<Setting>,
): Setting | undefined {
  if (!APICallError.isInstance(error) || (error.statusCode !== 400 && error.statusCode !== 422)) return undefined;
  const text = `${error.message} ${error.responseBody ?? ''}`;
  if (!refusing.test(text)) return undefined;
  return (Object.keys(names) as Setting[]).find(
    (setting) => !left_out.has(setting) && wasAsked(setting, request) && names[setting].test(text),
  );
}
