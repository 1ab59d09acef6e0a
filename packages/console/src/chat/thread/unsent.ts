import { keepDraft, readDraft } from '../../lib/local-drafts.ts';
import { type ChatMessage, textOf } from './message-types.ts';

const keyOf = (conversationId: string) => `unsent.${conversationId}`;
const isMessage = (entry: unknown): entry is ChatMessage =>
  typeof entry === 'object' && entry !== null && 'key' in entry && 'parts' in entry && Array.isArray(entry.parts);

/** Messages of this browser that did not reach the server, in the order in which they were written. */
export function readUnsent(conversationId: string): readonly ChatMessage[] {
  try {
    const kept: unknown = JSON.parse(readDraft(keyOf(conversationId)) || '[]');
    // Keys are counted anew in each page.
    return Array.isArray(kept)
      ? kept.filter(isMessage).map((one, at) => ({ ...one, key: `unsent-${at}-${Date.now()}` }))
      : [];
  } catch {
    return [];
  }
}

/** Keeps what of these messages did not reach the server until it is sent, edited or taken away, also over a reload. */
export function keepUnsent(conversationId: string, messages: readonly ChatMessage[]): void {
  const unsent = messages.filter(({ state }) => state === 'unsent' || state === 'sending');
  const kept = unsent.map((message) => ({ ...message, state: 'unsent' }));
  keepDraft(keyOf(conversationId), kept.length ? JSON.stringify(kept) : '');
}

/** The clock of the browser and that of the server differ by less. */
const clocks = 60_000;

/** Those of the kept messages that the server does not have: a page may be left before it has heard so. */
export const stillUnsent = (kept: readonly ChatMessage[], stored: readonly ChatMessage[]): readonly ChatMessage[] =>
  kept.filter(
    (message) =>
      !stored.some(
        (other) =>
          other.role === 'user' &&
          textOf(other) === textOf(message) &&
          Date.parse(other.created_at) > Date.parse(message.created_at) - clocks,
      ),
  );
