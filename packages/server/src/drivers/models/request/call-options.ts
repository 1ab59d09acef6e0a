import type {
  JSONObject,
  LanguageModelV4CallOptions,
  LanguageModelV4ToolChoice,
  SharedV4ProviderOptions,
  SharedV4Warning,
} from '@ai-sdk/provider';
import { type ModelRequest, type ModelWarning, maxTokensLowered, type ToolChoice } from '../driver.ts';
import { promptOf } from './build-prompt.ts';
import type { AssistantParts } from './reasoning-store.ts';
import { isStrictSchema } from './strict-schema.ts';
import { fitThinkingBudget, type ThinkingBudget } from './thinking-budget.ts';

/** Settings that a provider may refuse; the request works without each of them. */
export type Setting =
  | 'max_tokens'
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'stop_sequences'
  | 'reasoning_effort'
  | 'parallel_tool_calls'
  | 'tool_choice'
  | 'response_format';

/** How requests to a provider differ from the common call options. */
export interface ProviderTraits {
  /** Its own options for a request, under the key it reads. */
  options(request: ModelRequest, left_out: ReadonlySet<Setting>): { key: string; values: JSONObject };
  /** Marks the end of the part of the prompt that may be cached. */
  cache_marker?: SharedV4ProviderOptions;
  /** Whether reasoning is turned off explicitly; for other providers by leaving the setting out. */
  says_no_reasoning: boolean;
  /** Set when the number of reasoning tokens is part of the request. */
  thinking_budget?: ThinkingBudget;
  /** Whether it refuses reasoning in a turn whose earlier reasoning is lost. */
  needs_thoughts: boolean;
}

/** Whether the reasoning before the last tool calls is lost, as after a restart. */
function thoughtsLost(request: ModelRequest, remembered: (call_id: string) => AssistantParts | undefined): boolean {
  const last = request.messages.at(-1);
  return last?.role === 'tool' && !last.results.some(({ id }) => remembered(id));
}

function reasoningOf(
  request: ModelRequest,
  traits: ProviderTraits,
  remembered: (call_id: string) => AssistantParts | undefined,
): LanguageModelV4CallOptions['reasoning'] {
  const lost = traits.needs_thoughts && thoughtsLost(request, remembered);
  if (request.reasoning !== 'off' && !lost) return request.reasoning;
  return traits.says_no_reasoning ? 'none' : undefined;
}

const choiceOf = (choice: ToolChoice): LanguageModelV4ToolChoice =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool };

function formatOf({ json_schema, json_object }: ModelRequest): LanguageModelV4CallOptions['responseFormat'] {
  if (json_schema) return { type: 'json', name: 'answer', schema: json_schema };
  return json_object && { type: 'json' };
}

/** The parts of a request that a server has refused. */
export interface Refusals {
  settings: ReadonlySet<Setting>;
  /** The most output tokens that the server takes; null when it has stated none. */
  max_tokens: number | null;
  /** The most stop sequences that the server takes; undefined when it has refused none for their number. */
  stop_sequences?: number;
}

/** The stop sequences that a server takes, with a warning when these are not all. */
function fittingStops({ stop_sequences, model }: ModelRequest, most = stop_sequences.length) {
  const sent = stop_sequences.slice(0, most);
  const message = `stop_sequences: the first ${sent.length} of ${stop_sequences.length} were sent, ${model} takes no more`;
  return { sent, warnings: sent.length < stop_sequences.length ? [{ message }] : [] };
}

/** The tokens of the answer and of its reasoning, and the options that say so. */
function tokenOptions(
  request: ModelRequest,
  traits: ProviderTraits,
  reasoning: LanguageModelV4CallOptions['reasoning'],
): { reasoning?: typeof reasoning; maxOutputTokens: number; values: JSONObject; warnings: ModelWarning[] } {
  const { max_tokens } = request;
  const budget = traits.thinking_budget;
  const unchanged = { ...(reasoning && { reasoning }), maxOutputTokens: max_tokens, values: {}, warnings: [] };
  if (!budget || (reasoning !== 'low' && reasoning !== 'medium' && reasoning !== 'high')) return unchanged;
  const { tokens, warning } = fitThinkingBudget(request, reasoning, budget);
  return {
    ...(tokens === 0 && traits.says_no_reasoning && { reasoning: 'none' as const }),
    maxOutputTokens: budget.added ? max_tokens - tokens : max_tokens,
    values: tokens === 0 ? {} : budget.options(tokens),
    warnings: warning ? [warning] : [],
  };
}

/** The most tokens to ask for, with a warning when the server takes fewer than a user asked for. */
function lowerMaxTokens({ max_tokens, model, unasked }: ModelRequest, most: number | null) {
  if (most === null || max_tokens <= most) return { max_tokens, warnings: [] };
  const warnings = unasked?.includes('max_tokens') ? [] : [maxTokensLowered(model, max_tokens, most)];
  return { max_tokens: most, warnings };
}

export function callOptions(
  asked: ModelRequest,
  traits: ProviderTraits,
  { settings: left_out, max_tokens: most, stop_sequences: most_stops }: Refusals,
  remembered: (call_id: string) => AssistantParts | undefined,
): { options: LanguageModelV4CallOptions; warnings: ModelWarning[] } {
  const lowered = lowerMaxTokens(asked, most);
  const request = { ...asked, max_tokens: lowered.max_tokens };
  const { key, values } = traits.options(request, left_out);
  const wanted = left_out.has('reasoning_effort') ? undefined : reasoningOf(request, traits, remembered);
  const { reasoning, maxOutputTokens, values: thinking, warnings } = tokenOptions(request, traits, wanted);
  const responseFormat = left_out.has('response_format') ? undefined : formatOf(request);
  const stops = fittingStops(left_out.has('stop_sequences') ? { ...request, stop_sequences: [] } : request, most_stops);
  const choice = left_out.has('tool_choice') ? 'auto' : (request.tool_choice ?? 'auto');
  const options: LanguageModelV4CallOptions = {
    prompt: promptOf(request, traits.cache_marker, remembered),
    ...(!left_out.has('max_tokens') && { maxOutputTokens }),
    ...(!left_out.has('temperature') && { temperature: request.temperature }),
    ...(!left_out.has('top_p') && { topP: request.top_p }),
    // 0 means no limit.
    ...(!left_out.has('top_k') && request.top_k > 0 && { topK: request.top_k }),
    ...(!left_out.has('presence_penalty') && { presencePenalty: request.presence_penalty }),
    ...(!left_out.has('frequency_penalty') && { frequencyPenalty: request.frequency_penalty }),
    ...(stops.sent.length > 0 && { stopSequences: stops.sent }),
    ...(reasoning && { reasoning }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, input_schema, strict }) => ({
        type: 'function' as const,
        name,
        description,
        inputSchema: input_schema,
        // Providers refuse `strict` for a schema that allows other keys.
        ...(strict && isStrictSchema(input_schema) && { strict }),
      })),
      toolChoice: choiceOf(choice),
    }),
    ...(responseFormat && { responseFormat }),
    providerOptions: { [key]: { ...values, ...thinking } },
  };
  return { options, warnings: [...lowered.warnings, ...stops.warnings, ...warnings] };
}

const settingNames: Record<string, Setting> = {
  maxOutputTokens: 'max_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stopSequences: 'stop_sequences',
  reasoning: 'reasoning_effort',
  reasoningEffort: 'reasoning_effort',
  responseFormat: 'response_format',
  toolChoice: 'tool_choice',
};

/** Whether a setting has its default value, so that the user need not be warned when it is left out. */
const isDefaultedSetting = (setting: Setting | undefined, { unasked }: ModelRequest) =>
  setting !== undefined && (unasked?.includes(setting) ?? false);

/** Whether leaving a setting out makes no difference, so that no warning is needed. */
export function changesNothing(setting: Setting | undefined, request: ModelRequest): boolean {
  if (isDefaultedSetting(setting, request) || (setting === 'top_p' && request.top_p === 1)) return true;
  if (setting === 'reasoning_effort') return request.reasoning === 'off';
  return (setting === 'presence_penalty' || setting === 'frequency_penalty') && request[setting] === 0;
}

export const leftOut = (setting: Setting, model: string) => `${setting} was left out: ${model} does not take it`;

/** Translates a warning of a provider package into the names of our settings; undefined when none is needed. */
export function warningText(warning: SharedV4Warning, request: ModelRequest): string | undefined {
  if (warning.type === 'deprecated') return undefined;
  if (warning.type === 'other') return warning.message;
  const setting = settingNames[warning.feature];
  if (changesNothing(setting, request)) return undefined;
  if (warning.details) return `${setting ?? warning.feature}: ${warning.details}`;
  return setting ? leftOut(setting, request.model) : `${warning.feature} is not taken by ${request.model}`;
}
