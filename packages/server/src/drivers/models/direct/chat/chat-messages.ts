import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
} from '@ai-sdk/provider';
import type { AssistantParts } from '../../request/reasoning-store.ts';
import { base64Of, unsupported } from '../file-data.ts';
import { chatOptionsKey } from './chat-reader.ts';

const audioFormats: Readonly<Record<string, string>> = { 'audio/wav': 'wav', 'audio/mp3': 'mp3', 'audio/mpeg': 'mp3' };

function filePart(file: LanguageModelV4FilePart): object {
  const { mediaType, filename } = file;
  if (mediaType.startsWith('image/'))
    return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64Of(file)}` } };
  if (mediaType.startsWith('audio/')) {
    const format = audioFormats[mediaType];
    if (!format) throw unsupported(`audio media type ${mediaType}`);
    return { type: 'input_audio', input_audio: { data: base64Of(file), format } };
  }
  if (mediaType !== 'application/pdf') throw unsupported(`file part media type ${mediaType}`);
  const file_data = `data:application/pdf;base64,${base64Of(file)}`;
  return { type: 'file', file: { filename: filename ?? 'document.pdf', file_data } };
}

const userPart = (part: LanguageModelV4TextPart | LanguageModelV4FilePart) =>
  part.type === 'text' ? { type: 'text', text: part.text } : filePart(part);

function toolCall(part: Extract<AssistantParts[number], { type: 'tool-call' }>): object {
  const signature = part.providerOptions?.[chatOptionsKey]?.['thoughtSignature'];
  return {
    id: part.toolCallId,
    type: 'function',
    function: { name: part.toolName, arguments: JSON.stringify(part.input) },
    ...(signature && { extra_content: { google: { thought_signature: String(signature) } } }),
  };
}

function assistantMessage(content: AssistantParts): object {
  const textOf = (type: 'text' | 'reasoning') =>
    content.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
  const [text, reasoning] = [textOf('text'), textOf('reasoning')];
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? toolCall(part) : []));
  return {
    role: 'assistant',
    content: calls.length > 0 ? text || null : text,
    ...(reasoning && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function messagesOf(message: LanguageModelV4Message): object[] {
  if (message.role === 'system') return [{ role: 'system', content: message.content }];
  if (message.role === 'assistant') return [assistantMessage(message.content)];
  if (message.role === 'tool')
    return message.content.flatMap((part) =>
      part.type === 'tool-result' && 'value' in part.output
        ? { role: 'tool', tool_call_id: part.toolCallId, content: part.output.value }
        : [],
    );
  const [first, ...others] = message.content;
  const only = first?.type === 'text' && others.length === 0 ? first.text : undefined;
  return [{ role: 'user', content: only ?? message.content.map(userPart) }];
}

/** A prompt as the messages of `/chat/completions`. */
export const chatMessages = (prompt: LanguageModelV4Prompt): object[] => prompt.flatMap(messagesOf);
