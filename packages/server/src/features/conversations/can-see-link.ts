import { allows } from '@atrium/contract/permissions.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ConversationRow } from './store.ts';

/** A link opens the whole conversation: only its creator and callers with conversations_read see it. */
export function canSeeLink(
  { permissions, actor }: Scope,
  { api_key_id, deployment_id }: Pick<ConversationRow, 'api_key_id' | 'deployment_id'>,
): boolean {
  if (allows(permissions, 'conversations_read')) return true;
  return actor.id === (actor.kind === 'channel' ? deployment_id : actor.kind === 'api_key' ? api_key_id : undefined);
}
