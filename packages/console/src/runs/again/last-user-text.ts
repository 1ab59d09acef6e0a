type Message = Record<string, unknown>;
interface TextPart {
  type: 'text';
  text: string;
}

const isText = (part: unknown): part is TextPart =>
  typeof part === 'object' && part !== null && 'type' in part && part.type === 'text' && 'text' in part;
const partsOf = (message: unknown): readonly unknown[] => {
  const { role, parts } = (message ?? {}) as Message;
  return role === 'user' && Array.isArray(parts) ? parts : [];
};
const lastIndex = (messages: readonly unknown[]) => messages.findLastIndex((message) => partsOf(message).some(isText));

/** The words of the user that stand last in a prompt. */
export const lastUserText = (messages: readonly unknown[]): string | undefined =>
  partsOf(messages[lastIndex(messages)]).findLast(isText)?.text;

/** The same messages with other words in that place. */
export function replaceLastUserText(messages: readonly unknown[], text: string): Message[] {
  const at = lastIndex(messages);
  return messages.map((message, index) => {
    if (index !== at) return message as Message;
    const parts = partsOf(message);
    const place = parts.findLastIndex(isText);
    return {
      ...(message as Message),
      parts: parts.map((part, own) => (own === place ? { type: 'text', text } : part)),
    };
  });
}
