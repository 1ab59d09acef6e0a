import { notFound } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { isOutsider, noPerson, personBehind, type Scope } from '../../lib/scope.ts';
import type { ConversationRow } from './store.ts';

type Caller = Pick<Scope, 'actor' | 'permissions' | 'person_id' | 'own_conversations' | 'conversations_of'>;

/**
 * The person whose conversations alone the caller sees; undefined: all of the workspace. Keys see all, except those of a
 * person who does not.
 */
export function onlyOf(caller: Caller): string | undefined {
  const { actor, permissions, person_id, own_conversations, conversations_of } = caller;
  if (conversations_of !== undefined) return conversations_of;
  if (own_conversations) return person_id;
  return actor.kind === 'person' && !allows(permissions, 'conversations_read') ? actor.id : undefined;
}

/** What remains of the conversations of two callers, each of whom sees those of one person or, undefined, all. */
export function narrowerOf(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return first === second ? first : noPerson;
}

/** Whether the work of the same delivery of a trigger has made the conversation. */
const isOfDelivery = ({ actor }: Caller, { delivery_id }: Pick<ConversationRow, 'delivery_id'>): boolean =>
  delivery_id !== null && actor.kind === 'trigger' && actor.delivery_id === delivery_id;

/** A preview follows the draft, which is for those who edit the agent and for guests that they invite by a link. */
export const mayUsePreview = ({ actor, permissions }: Scope, { preview }: Pick<ConversationRow, 'preview'>): boolean =>
  !preview || actor.kind === 'link' || allows(permissions, 'agents_edit');

/** Whether a conversation of this person is another one's than the caller's. */
export const isOfAnother = (scope: Scope, person_id: string | null): person_id is string =>
  person_id !== null && !isOutsider(scope) && person_id !== personBehind(scope);

/** Names the conversation of another person to the access log, where a wide permission shows it to the caller. */
function noteWideRead(scope: Scope, { id, person_id }: Pick<ConversationRow, 'id' | 'person_id'>): void {
  if (isOfAnother(scope, person_id)) scope.noteRead?.({ kind: 'conversation', id, owner_id: person_id });
}

/** The row, where the caller may see it; another person's conversation is answered like one that does not exist. */
export function requireVisible<T extends Pick<ConversationRow, 'id' | 'person_id' | 'delivery_id'>>(
  scope: Scope,
  row: T | undefined,
): T {
  const person_id = onlyOf(scope);
  if (!row) throw notFound('conversation');
  if (person_id === undefined) noteWideRead(scope, row);
  if (person_id === undefined || row.person_id === person_id) return row;
  const isShared = scope.shared?.conversation_id === row.id;
  if (!isShared && !isOfDelivery(scope, row)) throw notFound('conversation');
  return row;
}
