import type { MessageRow } from '../../conversations/ports.ts';
import type { MessagePart } from '../../messages/ports.ts';
import { wasHeard } from '../prompt/prompt.ts';

const mostExchanges = 12;
const mostLetters = 160;

/** The text of a message on one line, cut at a word. */
function lineOf(parts: readonly MessagePart[]): string {
  const words = parts.flatMap((part) =>
    part.role === 'function' || (part.role === 'assistant' && (part.type !== 'text' || part.advice))
      ? []
      : part.content,
  );
  const text = words.join(' ').replaceAll(/\s+/g, ' ').trim();
  if (text.length <= mostLetters) return text;
  const cut = text.slice(0, mostLetters);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), mostLetters / 2))}…`.toWellFormed();
}

/**
 * The last questions, each with the beginning of its answer, oldest first: a summary for which no model is asked. Messages
 * that a guardrail has blocked are left out with their replies.
 */
export function excerptOf(rows: readonly Pick<MessageRow, 'role' | 'parts' | 'metadata'>[]): string {
  const exchanges: { question: string; answer?: string }[] = [];
  for (const { role, parts, metadata } of rows) {
    const line = lineOf(JSON.parse(parts) as MessagePart[]);
    const last = exchanges.at(-1);
    if (role !== 'assistant') exchanges.push({ question: line });
    else if (last === undefined || last.answer) continue;
    else if (wasHeard(metadata)) last.answer = line;
    else exchanges.pop();
  }
  return exchanges
    .filter(({ question }) => question)
    .slice(-mostExchanges)
    .map(({ question, answer }) => (answer ? `- ${question} → ${answer}` : `- ${question}`))
    .join('\n');
}
