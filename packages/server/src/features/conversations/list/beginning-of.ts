import { parseStored } from '../../../lib/json/parse-stored.ts';
import { stripMarkdown } from '../../../lib/text/strip-markdown.ts';
import type { MessagePart } from '../../messages/ports.ts';

/** More than any list shows of a text. */
const mostRead = 300;

/**
 * How the text of a message begins, on one line; null when it has none. Only what people and the agent said counts: tool
 * results, reasoning and advice for the operator are not for every reader of a list.
 */
export function beginningOf(parts: string): string | null {
  for (const part of parseStored<MessagePart[]>(parts)) {
    if ((part.type !== 'user' && part.type !== 'text') || 'advice' in part) continue;
    const text = stripMarkdown(part.content.slice(0, mostRead)).replace(/\s+/g, ' ').trim();
    if (text) return text.toWellFormed();
  }
  return null;
}
