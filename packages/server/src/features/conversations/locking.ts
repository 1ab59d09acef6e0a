import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Conversations } from './service.ts';
import { layersOf } from './settings/settings-layers.ts';
import { clearLock, setLock } from './store.ts';

export type ConversationLocking = ReturnType<typeof makeConversationLocking>;

/** A locked conversation can be read and takes no more messages. */
export const makeConversationLocking = (conversations: Conversations) => ({
  lock: (scope: Scope, id: string, message: string | undefined) =>
    conversations.changing(scope, id, (tx, before) => {
      const said = message ?? effectiveSettings(...layersOf(before)).block_message;
      return setLock(tx, scope.workspace_id, id, said);
    }),

  unlock: (scope: Scope, id: string) =>
    conversations.changing(scope, id, async (tx, { is_locked }) => {
      if (is_locked) await clearLock(tx, scope.workspace_id, id);
    }),
});
