import { notFound } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ConversationRow } from './store.ts';

type Caller = Pick<Scope, 'actor' | 'permissions' | 'person_id' | 'own_conversations'>;

/**
 * The person whose conversations alone the caller sees; undefined: all of the workspace. Keys see all, except those of a
 * person who does not.
 */
export function onlyOf({ actor, permissions, person_id, own_conversations }: Caller): string | undefined {
  if (own_conversations) return person_id;
  return actor.kind === 'person' && !allows(permissions, 'conversations_read') ? actor.id : undefined;
}

/** A preview follows the draft, which is for those who edit the agent and for guests that they invite by a link. */
export const mayUsePreview = ({ actor, permissions }: Scope, { preview }: Pick<ConversationRow, 'preview'>): boolean =>
  !preview || actor.kind === 'link' || allows(permissions, 'agents_edit');

/** The row, where the caller may see it; another person's conversation is answered like one that does not exist. */
export function requireVisible<T extends Pick<ConversationRow, 'id' | 'person_id'>>(
  scope: Scope,
  row: T | undefined,
): T {
  const person_id = onlyOf(scope);
  if (!row) throw notFound('conversation');
  const isShared = scope.shared?.conversation_id === row.id;
  if (person_id !== undefined && row.person_id !== person_id && !isShared) throw notFound('conversation');
  return row;
}
