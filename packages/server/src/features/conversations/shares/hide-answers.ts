import { parseStored } from '../../../lib/json/parse-stored.ts';
import { recordOwner, type Scope } from '../../../lib/scope.ts';
import type { FindHiddenRuns } from '../../ownership/service.ts';
import type { MessageRow } from '../message-store.ts';
import type { ConversationRow } from '../store.ts';

const hiddenText = 'This answer is hidden: it uses documents that you may not read.';
const hiddenParts = JSON.stringify([{ role: 'assistant', type: 'text', content: hiddenText }]);

const runOf = ({ metadata }: Pick<MessageRow, 'metadata'>): string | undefined =>
  metadata === null ? undefined : parseStored<{ run_id?: string }>(metadata).run_id;

type Shown = Pick<MessageRow, 'role' | 'parts' | 'metadata'>;

/**
 * The runs whose answers use documents which the reader may not read. The owner of a conversation has read them already,
 * and keeps them; sharing does not give more than the documents do.
 */
export async function findHiddenAnswers(
  scope: Scope,
  row: Pick<ConversationRow, 'owner_id'>,
  messages: readonly Shown[],
  findHiddenRuns: FindHiddenRuns,
): Promise<(message: Shown) => boolean> {
  const isOwn = row.owner_id !== null && row.owner_id === recordOwner(scope);
  const runs = isOwn ? [] : messages.flatMap((message) => (message.role === 'assistant' ? (runOf(message) ?? []) : []));
  const hidden = runs.length ? await findHiddenRuns(scope, [...new Set(runs)]) : new Set<string>();
  return (message) => message.role === 'assistant' && hidden.size > 0 && hidden.has(runOf(message) ?? '');
}

/** Hides the answers that the reader may not read. */
export async function hideAnswers<M extends Shown>(
  scope: Scope,
  row: Pick<ConversationRow, 'owner_id'>,
  messages: readonly M[],
  findHiddenRuns: FindHiddenRuns,
): Promise<M[]> {
  const isHidden = await findHiddenAnswers(scope, row, messages, findHiddenRuns);
  return messages.map((message) => (isHidden(message) ? { ...message, parts: hiddenParts, metadata: null } : message));
}

/** Leaves out the answers that the reader may not read. */
export async function dropHiddenAnswers<M extends Shown>(
  scope: Scope,
  row: Pick<ConversationRow, 'owner_id'>,
  messages: readonly M[],
  findHiddenRuns: FindHiddenRuns,
): Promise<M[]> {
  const isHidden = await findHiddenAnswers(scope, row, messages, findHiddenRuns);
  return messages.filter((message) => !isHidden(message));
}
