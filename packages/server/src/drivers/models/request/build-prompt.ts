import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { FileContent, ModelMessage, ModelRequest, TextContent } from '../driver.ts';
import type { AssistantParts } from './reasoning-store.ts';
import { asObject } from './tool-input.ts';

type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>;

const textLike = /^(text\/|application\/(json|xml|yaml|x-yaml|csv|x-ndjson|javascript)\b)|\+(json|xml)$/;
const forTheModel = /^(image\/|audio\/|application\/pdf$)/;

/** Sends text files as text. Sends only the name of a file that no model reads, so that the agent can mention it. */
function filePart(file: FileContent): LanguageModelV4TextPart | LanguageModelV4FilePart {
  if (forTheModel.test(file.media_type))
    return {
      type: 'file',
      mediaType: file.media_type,
      filename: file.filename,
      data: { type: 'data', data: file.data },
    };
  const inside = textLike.test(file.media_type)
    ? new TextDecoder().decode(file.data)
    : `(a file of the type ${file.media_type}, which can't be read here)`;
  return { type: 'text', text: `File ${file.filename}:\n${inside}` };
}

/** Drops empty texts, which providers refuse. */
const dropEmptyTexts = <T extends { type: string }>(parts: readonly (T | TextContent)[]) =>
  parts.filter((part) => !('text' in part) || part.text !== '');

function assistantMessage(
  message: Extract<ModelMessage, { role: 'assistant' }>,
  remembered: (call_id: string) => AssistantParts | undefined,
): Assistant {
  const call = message.parts.find((part) => part.type === 'tool-call');
  const known = call && remembered(call.id);
  if (known) return { role: 'assistant', content: known };
  return {
    role: 'assistant',
    content: dropEmptyTexts(message.parts).map((part) =>
      part.type === 'text'
        ? part
        : { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: asObject(part.input) },
    ),
  };
}

function promptMessage(
  message: ModelMessage,
  remembered: (call_id: string) => AssistantParts | undefined,
): LanguageModelV4Message {
  if (message.role === 'user')
    return {
      role: 'user',
      content: dropEmptyTexts(message.parts).map((part) => (part.type === 'text' ? part : filePart(part))),
    };
  if (message.role === 'assistant') return assistantMessage(message, remembered);
  return {
    role: 'tool',
    content: message.results.map(({ id, name, output, is_error }) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: name,
      output: { type: is_error ? 'error-text' : 'text', value: output },
    })),
  };
}

/**
 * The prompt as the provider packages take it. The instructions and the last message are marked for the cache, because
 * the next step of the run begins with all of it.
 */
export function promptOf(
  request: Pick<ModelRequest, 'system' | 'messages' | 'cache'>,
  marker: SharedV4ProviderOptions | undefined,
  remembered: (call_id: string) => AssistantParts | undefined = () => undefined,
): LanguageModelV4Prompt {
  const messages = request.messages
    .map((message) => promptMessage(message, remembered))
    .filter(({ content }) => content.length > 0);
  const last = messages.at(-1);
  const mark = request.cache && marker ? { providerOptions: marker } : {};
  const system: LanguageModelV4Prompt = request.system ? [{ role: 'system', content: request.system, ...mark }] : [];
  return [...system, ...messages.slice(0, -1), ...(last ? [{ ...last, ...mark }] : [])];
}
