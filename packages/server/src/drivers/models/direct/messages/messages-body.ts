import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool, SharedV4Warning } from '@ai-sdk/provider';
import { canFollowSchema } from './answer-schema.ts';
import { type ClaudeTraits, claudeTraits } from './claude-models.ts';
import { messagesOptionsKey, messagesPrompt } from './messages-prompt.ts';
import { checkSampling, fitSampling } from './messages-sampling.ts';
import { type Thinking, thinkingOf } from './messages-thinking.ts';
import { answerTool, type ToolRequest, toolFields } from './messages-tools.ts';
import { plainSchema } from './plain-schema.ts';

const isThinking = ({ field }: Thinking) => field !== undefined && field.type !== 'disabled';

/** The most tokens of the answer and its thoughts together. */
function maxTokens(
  { maxOutputTokens }: LanguageModelV4CallOptions,
  model: string,
  traits: ClaudeTraits,
  think: Thinking,
) {
  const wanted = (maxOutputTokens ?? traits.max_tokens) + (think.field?.budget_tokens ?? 0);
  if (!traits.known || wanted <= traits.max_tokens) return { max_tokens: wanted, warnings: [] };
  const details =
    `${wanted} (maxOutputTokens + thinkingBudget) is greater than ${model} ${traits.max_tokens} max output tokens. ` +
    `The max output tokens have been limited to ${traits.max_tokens}.`;
  const warning: SharedV4Warning = { type: 'unsupported', feature: 'maxOutputTokens', details };
  return { max_tokens: traits.max_tokens, warnings: maxOutputTokens === undefined ? [] : [warning] };
}

function unknownModel({ maxOutputTokens }: LanguageModelV4CallOptions, model: string, traits: ClaudeTraits) {
  if (traits.known || maxOutputTokens !== undefined) return [];
  const details =
    `The model "${model}" is unknown. The max output tokens have been limited to ${traits.max_tokens}. ` +
    `Set maxOutputTokens explicitly to override this limit.`;
  return [{ type: 'compatibility' as const, feature: 'maxOutputTokens', details }];
}

/** The tools to offer; `schema` is of an answer that the model has to give by a tool. */
function toolRequest(
  { tools = [], toolChoice: choice, providerOptions }: LanguageModelV4CallOptions,
  schema: LanguageModelV4FunctionTool['inputSchema'] | undefined,
  refuses_force: boolean,
): ToolRequest {
  const functions = tools.filter((tool) => tool.type === 'function');
  if (schema) {
    const kept = functions.filter(({ name }) => choice?.type !== 'tool' || name === choice.toolName);
    const offered = [...kept, answerTool(schema)];
    return { tools: offered, choice: { type: 'required' }, one_at_a_time: true, refuses_force };
  }
  const one_at_a_time = providerOptions?.[messagesOptionsKey]?.['disableParallelToolUse'] ? true : undefined;
  return { tools: functions, choice, one_at_a_time, refuses_force };
}

/** A request of the messages protocol. What the model does not take is left out, with a warning. */
export function messagesBody(options: LanguageModelV4CallOptions, model: string) {
  const traits = claudeTraits(model);
  const checked = checkSampling(options, model, traits);
  const { system, messages, betas, warnings: promptWarnings } = messagesPrompt(options.prompt);
  const thinking = thinkingOf(options, model, traits);
  const { left, warnings: fitted } = fitSampling(checked.sampling, {
    thinks: isThinking(thinking),
    is_claude: model.includes('claude-'),
  });
  const limit = maxTokens(options, model, traits, thinking);
  const schema = options.responseFormat?.type === 'json' ? options.responseFormat.schema : undefined;
  const follows = schema !== undefined && traits.follows_schemas && canFollowSchema(schema as Record<string, unknown>);
  const by_tool = schema !== undefined && !follows;
  const refuses_force = !traits.takes_forced_tools || thinking.field?.type === 'enabled';
  const asked = toolRequest(options, by_tool ? schema : undefined, refuses_force);
  const tools = toolFields(asked, traits);
  if (asked.tools.length > 0 && traits.follows_schemas && !by_tool) betas.add('structured-outputs-2025-11-13');
  const config = {
    ...(thinking.effort && { effort: thinking.effort }),
    ...(follows && { format: { type: 'json_schema', schema: plainSchema(schema as Record<string, unknown>) } }),
  };
  return {
    body: {
      model,
      max_tokens: limit.max_tokens,
      temperature: left.temperature,
      top_k: left.topK,
      top_p: left.topP,
      stop_sequences: options.stopSequences,
      thinking: thinking.field,
      ...(Object.keys(config).length > 0 && { output_config: config }),
      system,
      messages,
      ...tools.fields,
      stream: true,
    },
    betas,
    /** Whether the call of a tool is the answer itself. */
    by_tool,
    warnings: [
      ...checked.warnings,
      ...unknownModel(options, model, traits),
      ...checked.refused,
      ...promptWarnings,
      ...thinking.warnings,
      ...fitted,
      ...limit.warnings,
      ...tools.warnings,
    ],
  };
}
