import { type ChatMessage, type StoredMessage, textOf } from './message-types.ts';

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The stored message, as the one that is shown already when nothing of it differs. */
function adopt(stored: StoredMessage, shown: ChatMessage | undefined): ChatMessage {
  if (!shown) return { ...stored, key: stored.id };
  const { state, failure } = shown;
  // That an answer was stopped is not stored with it.
  const ending =
    stored.state === undefined && stored.role === 'assistant' && (state === 'stopped' || state === 'failed');
  const unchanged =
    shown.id === stored.id &&
    (state === stored.state || ending) &&
    shown.failureCode === stored.failureCode &&
    same(shown.parts, stored.parts) &&
    same(shown.metadata, stored.metadata);
  if (unchanged) return shown;
  return { ...stored, key: shown.key, ...(ending && { state }), ...(ending && failure !== undefined && { failure }) };
}

/**
 * The messages after the newest ones were read again, oldest first. Those that are older than all that were read stay; a
 * message that was shown before its id was known keeps its key, so that its row stays too.
 */
export function mergeMessages(shown: readonly ChatMessage[], newest: readonly StoredMessage[]): readonly ChatMessage[] {
  const [first] = newest;
  if (!first) return shown.filter(({ state }) => state === 'unsent');
  const byId = new Map(shown.filter(({ id }) => id).map((message) => [message.id, message]));
  const local = shown.filter(({ id, role, state }) => !id && role === 'user' && state !== 'unsent');
  const start = shown.findIndex(({ id }) => id === first.id);
  const older = start < 0 ? [] : shown.slice(0, start);
  const merged = newest.map((stored) => {
    const known = byId.get(stored.id);
    if (known || stored.role !== 'user') return adopt(stored, known);
    const at = local.findIndex((message) => textOf(message) === textOf(stored));
    return adopt(stored, at < 0 ? undefined : local.splice(at, 1)[0]);
  });
  const all = [...older, ...merged, ...shown.filter(({ state }) => state === 'unsent')];
  return all.length === shown.length && all.every((message, index) => message === shown[index]) ? shown : all;
}

/** The messages with the last answer marked as one that waits for a person, or not. That is not stored with it. */
export function markWaiting(messages: readonly ChatMessage[], waiting: boolean): readonly ChatMessage[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant');
  const last = messages[at];
  if (!last || (last.state === 'waiting') === waiting) return messages;
  const { state: _, ...rest } = last;
  return messages.with(at, waiting ? { ...last, state: 'waiting' } : rest);
}

/** Older messages before those that are shown; one that is there already is not added again. */
export function prependMessages(
  shown: readonly ChatMessage[],
  older: readonly StoredMessage[],
): readonly ChatMessage[] {
  const known = new Set(shown.map(({ id }) => id));
  const added = older.filter(({ id }) => !known.has(id)).map((message) => ({ ...message, key: message.id }));
  return added.length ? [...added, ...shown] : shown;
}
