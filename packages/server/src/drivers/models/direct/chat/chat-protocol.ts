import type { LanguageModelV4CallOptions, LanguageModelV4ToolChoice, SharedV4Warning } from '@ai-sdk/provider';
import { type Protocol, urlOf } from '../protocol.ts';
import { chatError } from './chat-chunk.ts';
import { chatMessages } from './chat-messages.ts';
import { ChatReader, chatOptionsKey } from './chat-reader.ts';

const choiceOf = (choice: LanguageModelV4ToolChoice) =>
  choice.type === 'tool' ? { type: 'function', function: { name: choice.toolName } } : choice.type;

function toolFields({ tools, toolChoice }: LanguageModelV4CallOptions): object {
  if (!tools?.length) return {};
  const functions = tools.flatMap((tool) => {
    if (tool.type !== 'function') return [];
    const { name, description, inputSchema: parameters, strict } = tool;
    return [{ type: 'function', function: { name, description, parameters, ...(strict && { strict }) } }];
  });
  return { tools: functions, ...(toolChoice && { tool_choice: choiceOf(toolChoice) }) };
}

function responseFormat(format: LanguageModelV4CallOptions['responseFormat'], strict: unknown): object | undefined {
  if (format?.type !== 'json') return undefined;
  const { schema, name } = format;
  return schema ? { type: 'json_schema', json_schema: { schema, strict, name } } : { type: 'json_object' };
}

/** The body of a request. The options of the provider are its own fields, under the names of the protocol. */
function bodyOf(options: LanguageModelV4CallOptions, model: string): object {
  const { strictJsonSchema: strict = true, ...own } = options.providerOptions?.[chatOptionsKey] ?? {};
  return {
    model,
    max_tokens: options.maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    response_format: responseFormat(options.responseFormat, strict),
    stop: options.stopSequences,
    ...own,
    reasoning_effort: options.reasoning,
    messages: chatMessages(options.prompt),
    ...toolFields(options),
    stream: true,
    stream_options: { include_usage: true },
  };
}

const noTopK: SharedV4Warning[] = [{ type: 'unsupported', feature: 'topK' }];

/** OpenAI's `/chat/completions`, which most other servers speak too. */
export const chatProtocol: Protocol = {
  prepare: (options, address, model) => ({
    url: urlOf(address, '/chat/completions'),
    headers: {
      'content-type': 'application/json',
      ...(address.api_key && { authorization: `Bearer ${address.api_key}` }),
    },
    body: bodyOf(options, model),
    warnings: options.topK === undefined ? [] : noTopK,
    reader: new ChatReader(),
  }),
  refusalMessage: (body) => chatError(body)?.message,
};
