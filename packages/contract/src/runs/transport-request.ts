import * as z from 'zod';
import * as s from '../schema/schema.ts';
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

const responded = z.looseObject({
  state: z.literal('approval-responded'),
  approval: z.looseObject({ id: z.string(), approved: z.boolean(), reason: z.string().optional() }),
});

/** What its user has said to approvals: a chat sends its last reply back with that in it. */
function approvalsIn(parts: readonly unknown[]) {
  return parts.flatMap((part) => {
    const read = responded.safeParse(part);
    if (!read.success) return [];
    const { id, approved, reason } = read.data.approval;
    return [{ id, decision: approved ? 'approve' : 'reject', ...(reason !== undefined && { note: reason }) }];
  });
}

/** Converts the body of a chat transport into a message request; any other body is left to the schema. */
export function asMessageRequest(input: unknown): unknown {
  const chat = chatBody.safeParse(input);
  if (!chat.success || (typeof input === 'object' && input !== null && 'content' in input)) return input;
  const newest = chat.data.messages.at(-1);
  const approvals = newest?.role === 'assistant' ? approvalsIn(newest.parts ?? []) : [];
  if (approvals.length) return { content: 'approvals', approvals };
  const last = chat.data.messages.findLast(({ role }) => role === 'user');
  const parts = last?.parts ?? [];
  const content = parts
    .filter(({ type }) => type === 'text')
    .map((part) => String(part['text'] ?? ''))
    .join('');
  const files = parts.filter(({ type }) => type === 'file').map(fileOf);
  return { content: content || undefined, ...(files.length && { files }) };
}

const answered = s.object({
  id: s.uuid('approval').describe('The id of the approval.'),
  decision: s.oneOf(['approve', 'reject']).describe('Whether the tool call is made.'),
  note: s.optional(s.str({ max: 10_000 })).describe('A note that the model reads when the call is rejected.'),
});

const streamed = messageRequest
  .extend({
    approvals: s
      .optional(s.list(answered, { min: 1, max: 100 }))
      .describe('Decisions about tool calls that wait. With them no message is sent, and `content` is ignored.'),
  })
  .meta({ id: 'StreamRequest' });

/** The body of /stream: our own, or a chat transport's. With `approvals` these are answered, and nothing is said. */
export const streamRequest = z.preprocess(asMessageRequest, streamed) as unknown as z.ZodType<
  StreamRequest,
  z.input<typeof streamed>
>;

export type StreamRequest = MessageRequest & { approvals?: z.output<typeof answered>[] | undefined };
