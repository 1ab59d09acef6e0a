import { allows } from '@atrium/contract/permissions.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ConversationRow } from './store.ts';

/** The link to a conversation is its whole content: for its maker, and for those who may read others' conversations. */
export function canSeeLink(
  { permissions, actor }: Scope,
  { api_key_id, deployment_id }: Pick<ConversationRow, 'api_key_id' | 'deployment_id'>,
): boolean {
  if (allows(permissions, 'conversations_read')) return true;
  return actor.id === (actor.kind === 'channel' ? deployment_id : actor.kind === 'api_key' ? api_key_id : undefined);
}
