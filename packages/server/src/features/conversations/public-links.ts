import { createHash, randomBytes } from 'node:crypto';
import { forbidden, notFound } from '@atrium/contract/errors.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { Keyring } from '../keyring/service.ts';
import { channelDisplay, toUiMessage } from '../messages/service.ts';
import { canSeeLink } from './can-see-link.ts';
import { readMessages } from './message-store.ts';
import type { ConversationLinks } from './ports.ts';
import { type Conversations, tokenPurpose } from './service.ts';
import { layersOf } from './settings/settings-layers.ts';
import * as store from './store.ts';

const hashToken = (token: string) => createHash('sha256').update(`conversation link\0${token}`).digest();

export interface ConversationLinksOptions {
  db: Database;
  notifier: Notifier;
  keyring: Keyring;
  conversations: Conversations;
  /** The permissions of guests of a deployment's conversation; undefined when the deployment is gone. */
  deployed(deployment_id: string): Promise<ReadonlySet<Permission> | undefined>;
}

/** Creates and resolves shared links. The secret of a link is random and opens one conversation only. */
export function makeConversationLinks(options: ConversationLinksOptions): ConversationLinks {
  const { db, notifier, keyring, conversations } = options;

  return {
    async share(scope, id) {
      const seal = await keyring.sealer(scope.workspace_id);
      return conversations.change(scope, id, async (tx, before) => {
        if (!canSeeLink(scope, before))
          throw forbidden("Sharing another key's conversation needs the permission conversations_read");
        if (before.public_token !== null) return;
        const token = randomBytes(32).toString('base64url');
        await store.setToken(tx, scope.workspace_id, id, hashToken(token), seal(tokenPurpose, token));
      });
    },

    async unshare(scope, id) {
      const unshared = await conversations.change(scope, id, async (tx, { public_token }) => {
        if (public_token === null) return;
        await store.setToken(tx, scope.workspace_id, id, null, null);
        await notifier.notify(tx, 'links', id);
      });
      notifier.notifyLocal('links', id);
      return unshared;
    },

    async principalOfLink(token) {
      const row = await store.findByToken(db, hashToken(token));
      if (!row) return undefined;
      const permissions =
        row.deployment_id === null ? new Set<Permission>() : await options.deployed(row.deployment_id);
      if (!permissions) return undefined;
      const tenant_id = await store.findTenantId(db, row.group_id);
      if (!tenant_id) throw notFound('conversation');
      return {
        tenant_id,
        workspace_id: row.group_id,
        home_workspace_id: row.group_id,
        actor: { kind: 'link', id: row.id, name: 'Shared link' },
        permissions,
        tenant_admin: false,
      };
    },

    async view(scope) {
      const row = await conversations.find(scope, scope.actor.id);
      const settings = effectiveSettings(...layersOf(row));
      const display = channelDisplay(settings);
      const window = { after: undefined, order: 'newest', limit: 200 } as const;
      const messages = await readMessages(db, row.group_id, row.id, window);
      // System messages are for the agent; guests do not see them.
      const visible = messages.filter(({ role }) => role !== 'system');
      const ui_messages = visible.reverse().map((message) => toUiMessage(message, display));
      const { id, name, status, created_at, last_updated_at, etag, is_locked, lock_message } = row;
      const feedback_form = {
        placeholder: settings.feedback_placeholder,
        submit_label: settings.feedback_submit_label,
        cancel_label: settings.feedback_cancel_label,
      };
      const shown = { id, name, status, created_at, last_updated_at, etag, is_locked, lock_message };
      return { ...shown, feedback_form, ui_messages };
    },
  };
}
