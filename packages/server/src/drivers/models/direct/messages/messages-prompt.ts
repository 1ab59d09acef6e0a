import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4Warning,
} from '@ai-sdk/provider';
import type { AssistantParts } from '../../request/reasoning-store.ts';
import { base64Of, unsupported } from '../file-data.ts';

type Block = Readonly<Record<string, unknown>> & { type: string };
type Assistant = Extract<LanguageModelV4Message, { role: 'assistant' }>;

/** The key of the provider's options and metadata. */
export const messagesOptionsKey = 'anthropic';

function fileBlock(file: LanguageModelV4FilePart, betas: Set<string>): Block {
  const { mediaType: media_type, filename: title } = file;
  const source = () => ({ type: 'base64', media_type, data: base64Of(file) });
  if (media_type.startsWith('image/')) return { type: 'image', source: source() };
  if (media_type !== 'application/pdf') throw unsupported(`media type: ${media_type}`);
  betas.add('pdfs-2024-09-25');
  return { type: 'document', source: source(), title };
}

function userBlocks(message: Exclude<LanguageModelV4Message, Assistant | { role: 'system' }>, betas: Set<string>) {
  if (message.role === 'user')
    return message.content.map((part) =>
      part.type === 'text' ? { type: 'text', text: part.text } : fileBlock(part, betas),
    );
  return message.content.flatMap((part): Block[] => {
    if (part.type !== 'tool-result' || !('value' in part.output)) return [];
    const { type, value: content } = part.output;
    const failed = type === 'error-text' ? { is_error: true } : {};
    return [{ type: 'tool_result', tool_use_id: part.toolCallId, content, ...failed }];
  });
}

function assistantBlock(part: AssistantParts[number], warnings: SharedV4Warning[]): Block | undefined {
  const { signature, redactedData, caller } = part.providerOptions?.[messagesOptionsKey] ?? {};
  if (part.type === 'text') return part.text ? { type: 'text', text: part.text } : undefined;
  if (part.type === 'tool-call')
    return { type: 'tool_use', id: part.toolCallId, name: part.toolName, input: part.input, ...(caller && { caller }) };
  if (part.type !== 'reasoning') return undefined;
  if (typeof signature === 'string') return { type: 'thinking', thinking: part.text, signature };
  if (typeof redactedData === 'string') return { type: 'redacted_thinking', data: redactedData };
  // Thoughts without a signature are refused.
  warnings.push({ type: 'other', message: 'unsupported reasoning metadata' });
  return undefined;
}

/** Marks the last block for the cache. Thoughts are cached without a mark, and refuse one. */
function marked(blocks: Block[], marker: unknown): Block[] {
  const last = blocks.at(-1);
  if (!marker || !last || last.type.endsWith('thinking')) return blocks;
  return [...blocks.slice(0, -1), { ...last, cache_control: marker }];
}

/** Between two thoughts, calls stand after all texts. */
function callsLast(blocks: readonly Block[]): Block[] {
  const ordered: Block[] = [];
  let calls: Block[] = [];
  for (const block of blocks) {
    if (block.type.endsWith('thinking')) {
      ordered.push(...calls);
      calls = [];
    }
    (block.type === 'tool_use' ? calls : ordered).push(block);
  }
  return [...ordered, ...calls];
}

/** The provider refuses white space at the end of an answer that it is to go on with. */
function trimEnd(blocks: Block[]): Block[] {
  const last = blocks.at(-1);
  return last?.type === 'text' ? [...blocks.slice(0, -1), { ...last, text: String(last['text']).trim() }] : blocks;
}

/** A prompt as the system blocks and messages of the protocol, with the beta features that it needs and what was left out. */
export function messagesPrompt(prompt: LanguageModelV4Prompt) {
  const betas = new Set<string>();
  const warnings: SharedV4Warning[] = [];
  const system: Block[] = [];
  const messages: { role: 'user' | 'assistant'; content: Block[] }[] = [];
  for (const [index, message] of prompt.entries()) {
    const marker = message.providerOptions?.[messagesOptionsKey]?.['cacheControl'];
    if (message.role === 'system') {
      system.push(...marked([{ type: 'text', text: message.content }], marker));
      continue;
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const own =
      message.role === 'assistant'
        ? message.content.flatMap((part) => assistantBlock(part, warnings) ?? [])
        : userBlocks(message, betas);
    const content = marked(role === 'assistant' && index === prompt.length - 1 ? trimEnd(own) : own, marker);
    const last = messages.at(-1);
    // Roles take turns: results of tools and the next question are one message.
    if (last?.role === role) last.content.push(...content);
    else if (role === 'user' || content.length > 0) messages.push({ role, content });
  }
  return {
    system: system.length ? system : undefined,
    messages: messages.map((message) => ({ ...message, content: callsLast(message.content) })),
    betas,
    warnings,
  };
}
