import { z } from 'zod';
import { type MessageRequest, messageRequest } from './message-request.ts';

/** What AI SDK's chat transport sends: the whole chat, of which the last user message counts. */
const chatBody = z.looseObject({
  messages: z.array(
    z.looseObject({ role: z.string(), parts: z.array(z.looseObject({ type: z.string() })).optional() }),
  ),
});

const dataUrl = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s;

function fileOf(part: Record<string, unknown>): Record<string, unknown> {
  const url = String(part['url'] ?? '');
  const name = typeof part['filename'] === 'string' ? part['filename'] : 'file';
  const inline = dataUrl.exec(url);
  return inline ? { name, type: inline[1], b64_content: inline[2] } : { name, url };
}

/** A chat transport's body in the form of ours; anything else stays as it came, for our own schema to judge. */
export function asMessageRequest(input: unknown): unknown {
  const chat = chatBody.safeParse(input);
  if (!chat.success || (typeof input === 'object' && input !== null && 'content' in input)) return input;
  const last = chat.data.messages.findLast(({ role }) => role === 'user');
  const parts = last?.parts ?? [];
  const content = parts
    .filter(({ type }) => type === 'text')
    .map((part) => String(part['text'] ?? ''))
    .join('');
  const files = parts.filter(({ type }) => type === 'file').map(fileOf);
  return { content: content || undefined, ...(files.length && { files }) };
}

/** The body of /stream: our own, or a chat transport's. */
export const streamRequest = z.preprocess(asMessageRequest, messageRequest) as unknown as z.ZodType<MessageRequest>;
