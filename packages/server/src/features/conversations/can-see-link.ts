import { allows } from '@atrium/contract/permissions.ts';
import { recordOwner, type Scope } from '../../lib/scope.ts';
import type { ConversationRow } from './store.ts';

/** Whether a link has reached its end. */
export const isExpired = ({ public_access_expires_at: end }: Pick<ConversationRow, 'public_access_expires_at'>) =>
  end !== null && Date.parse(end) <= Date.now();

/** A link opens the whole conversation: only its creator and callers with conversations_read see it. */
export function canSeeLink(
  scope: Scope,
  { deployment_id, owner_id }: Pick<ConversationRow, 'deployment_id' | 'owner_id'>,
): boolean {
  const { permissions, actor } = scope;
  if (allows(permissions, 'conversations_read')) return true;
  if (owner_id !== null && recordOwner(scope) === owner_id) return true;
  return actor.kind === 'channel' && actor.id === deployment_id;
}
