import { allows } from '@atrium/contract/permissions.ts';
import { personBehind, type Scope } from '../../lib/scope.ts';
import type { ConversationRow } from './store.ts';

/** Whether a link has reached its end. */
export const isExpired = ({ public_access_expires_at: end }: Pick<ConversationRow, 'public_access_expires_at'>) =>
  end !== null && Date.parse(end) <= Date.now();

/** A link opens the whole conversation: only its creator and callers with conversations_read see it. */
export function canSeeLink(
  scope: Scope,
  { api_key_id, deployment_id, person_id }: Pick<ConversationRow, 'api_key_id' | 'deployment_id' | 'person_id'>,
): boolean {
  const { permissions, actor } = scope;
  if (allows(permissions, 'conversations_read')) return true;
  if (person_id !== null && personBehind(scope) === person_id) return true;
  return actor.id === (actor.kind === 'channel' ? deployment_id : actor.kind === 'api_key' ? api_key_id : undefined);
}
