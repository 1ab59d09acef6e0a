import { type ChatMessage, textOf } from './message-types.ts';

/** About how high a message will be, in pixels. It is measured once it is drawn. */
export function estimateHeight(message: ChatMessage | undefined): number {
  if (!message) return 80;
  const text = textOf(message);
  const perLine = message.role === 'assistant' ? 88 : 62;
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / perLine)), 0);
  const around = message.role === 'assistant' ? 70 : 54;
  return around + lines * 24;
}
