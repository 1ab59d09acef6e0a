import { createHash, randomBytes } from 'node:crypto';
import { conflict, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import type { Keyring } from '../keyring/service.ts';
import { channelDisplay, toUiMessage } from '../messages/service.ts';
import type { FindHiddenRuns } from '../ownership/service.ts';
import { canSeeLink, isExpired } from './can-see-link.ts';
import { readMessages } from './message-store.ts';
import type { ConversationLinks } from './ports.ts';
import { type Conversations, tokenPurpose } from './service.ts';
import { layersOf } from './settings/settings-layers.ts';
import { hideAnswers } from './shares/hide-answers.ts';
import * as store from './store.ts';

const hashToken = (token: string) => createHash('sha256').update(`conversation link\0${token}`).digest();

export interface ConversationLinksOptions {
  db: Database;
  notifier: Notifier;
  keyring: Keyring;
  conversations: Conversations;
  findHiddenRuns: FindHiddenRuns;
  /** The permissions of guests of a deployment's conversation; undefined when the deployment is gone. */
  deployed(deployment_id: string): Promise<ReadonlySet<Permission> | undefined>;
}

/** Creates and resolves shared links. The secret of a link is random and opens one conversation only. */
export function makeConversationLinks(options: ConversationLinksOptions): ConversationLinks {
  const { db, notifier, keyring, conversations } = options;

  return {
    async share(scope, id, terms = {}) {
      const { expires_at, read_only } = terms;
      if (expires_at && Date.parse(expires_at) <= Date.now())
        throw invalid(['body', 'expires_at'], 'the end of a link should be in the future', expires_at);
      const seal = await keyring.sealer(scope.workspace_id);
      const shared = await conversations.change(scope, id, async (tx, before) => {
        if (!canSeeLink(scope, before))
          throw forbidden("Sharing another key's conversation needs the permission conversations_read");
        // The link of a visitor is how they go on: terms would end their conversation.
        if (before.deployment_id !== null && (expires_at || read_only))
          throw conflict("This conversation came through a page; its link is its visitor's", 'link_of_visitor');
        const isOpen = before.public_token !== null && !isExpired(before);
        if (!isOpen) {
          const token = randomBytes(32).toString('base64url');
          await store.setToken(tx, scope.workspace_id, id, hashToken(token), seal(tokenPurpose, token));
        }
        const kept = isOpen ? before : { public_access_expires_at: null, public_access_read_only: false };
        const until = expires_at === undefined ? kept.public_access_expires_at : expires_at || null;
        const readOnly = read_only ?? kept.public_access_read_only;
        if (until === kept.public_access_expires_at && readOnly === kept.public_access_read_only) return;
        await store.setLinkTerms(tx, scope.workspace_id, id, until, readOnly);
        await notifier.notify(tx, 'links', id);
      });
      notifier.notifyLocal('links', id);
      return shared;
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
      if (!row || isExpired(row)) return undefined;
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
        ...(row.public_access_read_only && { read_only: true as const }),
      };
    },

    async view(scope) {
      const row = await conversations.find(scope, scope.actor.id);
      const settings = effectiveSettings(...layersOf(row));
      const display = channelDisplay(settings);
      const window = { after: undefined, order: 'newest', limit: 200 } as const;
      const stored = await readMessages(db, row.group_id, row.id, window);
      const messages = await hideAnswers(scope, row, stored, options.findHiddenRuns);
      // System messages are for the agent; guests do not see them.
      const visible = messages.filter(({ role }) => role !== 'system');
      const ui_messages = visible.reverse().map((message) => toUiMessage(message, display));
      const { id, name, status, created_at, last_updated_at, etag, is_locked, lock_message } = row;
      const feedback_form = {
        placeholder: settings.feedback_placeholder,
        submit_label: settings.feedback_submit_label,
        cancel_label: settings.feedback_cancel_label,
      };
      const read_only = row.public_access_read_only;
      const shown = { id, name, status, created_at, last_updated_at, etag, is_locked, lock_message, read_only };
      return { ...shown, input_placeholder: settings.chat_input_placeholder, feedback_form, ui_messages };
    },
  };
}
