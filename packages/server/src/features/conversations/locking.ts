import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../lib/scope.ts';
import type { WholeConversation } from './ports.ts';
import type { Conversations } from './service.ts';
import { layersOf } from './settings/settings-layers.ts';
import { clearLock, setLock } from './store.ts';

export interface ConversationLocking {
  /** Without a message, senders get the setting `block_message`. */
  lock(scope: Scope, id: string, message: string | undefined): Promise<WholeConversation>;
  unlock(scope: Scope, id: string): Promise<WholeConversation>;
}

/** A locked conversation can be read and accepts no messages. */
export const makeConversationLocking = (conversations: Conversations): ConversationLocking => ({
  lock: (scope, id, message) =>
    conversations.change(scope, id, (tx, before) =>
      setLock(tx, scope.workspace_id, id, message ?? effectiveSettings(...layersOf(before)).block_message),
    ),

  unlock: (scope, id) =>
    conversations.change(scope, id, async (tx, { is_locked }) => {
      if (is_locked) await clearLock(tx, scope.workspace_id, id);
    }),
});
