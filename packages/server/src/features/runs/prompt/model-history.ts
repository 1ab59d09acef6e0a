import type { MessageMetadata } from '@atrium/contract/runs/events.ts';
import type { FileContent, ModelMessage, TextContent } from '../../../drivers/models/driver.ts';
import type { MessageRow } from '../../conversations/ports.ts';
import type { MessageFile, MessagePart } from '../../messages/ports.ts';
import { replyMessages } from '../../messages/service.ts';

/** The number of stored messages to load; compaction reduces them to fit. */
export const maxHistoryMessages = 400;

/** Whether the message that this reply answers has passed the guardrails of its time. */
function wasHeard(metadata: string | null): boolean {
  const { guardrails } = JSON.parse(metadata ?? '{}') as Partial<MessageMetadata>;
  return guardrails?.input_passed ?? true;
}

/** Converts stored messages for a model, oldest first. Files are converted to what the model accepts. */
export async function modelHistory(
  rows: readonly Pick<MessageRow, 'role' | 'parts' | 'metadata'>[],
  filesFor: (files: MessageFile[], is_last: boolean) => Promise<(TextContent | FileContent)[]>,
): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = [];
  /** Where the message stands that the next reply answers. */
  let asked = -1;
  for (const [index, { role, parts: text, metadata }] of rows.entries()) {
    const parts = JSON.parse(text) as MessagePart[];
    if (role !== 'user') {
      // A message that a guardrail has blocked stays out of the history, together with its reply.
      if (!wasHeard(metadata) && asked >= 0) messages.length = asked;
      else messages.push(...replyMessages(parts));
      asked = -1;
      continue;
    }
    for (const part of parts) {
      if (part.role !== 'user') continue;
      const files = part.files?.length ? await filesFor(part.files, index === rows.length - 1) : [];
      // An image may have no text; providers refuse an empty text.
      const said = part.content ? [{ type: 'text' as const, text: part.content }] : [];
      asked = messages.length;
      messages.push({ role: 'user', parts: [...files, ...said] }, ...replyMessages(part.client?.continued ?? []));
    }
  }
  return messages;
}
