import { createHash, randomBytes } from 'node:crypto';
import type { PublicConversation } from '@atrium/contract/conversations/schema.ts';
import { forbidden, notFound } from '@atrium/contract/errors.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import type { Database } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { sql } from '../../db/sql.ts';
import type { Principal, Scope } from '../../lib/scope.ts';
import type { Keyring } from '../keyring/service.ts';
import { channelDisplay, toUiMessage } from '../messages/service.ts';
import { canSeeLink } from './can-see-link.ts';
import { readMessages } from './message-store.ts';
import type { WholeConversation } from './present-conversation.ts';
import { type Conversations, tokenPurpose } from './service.ts';
import { layersOf } from './settings/settings-layers.ts';
import * as store from './store.ts';

export type ConversationLinks = ReturnType<typeof makeConversationLinks>;

const hashOf = (token: string) => createHash('sha256').update(`conversation link\0${token}`).digest();

/** Shared links: a random secret of its own for one conversation, derived from nothing and good for nothing else. */
export function makeConversationLinks(options: {
  db: Database;
  notifier: Notifier;
  keyring: Keyring;
  conversations: Conversations;
  /** What holders of a link to a conversation of a deployment may do; undefined when nothing is deployed any more. */
  deployed(deployment_id: string): Promise<ReadonlySet<Permission> | undefined>;
}) {
  const { db, notifier, keyring, conversations } = options;

  async function tenantOf(workspace_id: string): Promise<string> {
    const row = await db.row<{ tenant_id: string }>(sql`select tenant_id from workspaces where id = ${workspace_id}`);
    if (!row) throw notFound('conversation');
    return row.tenant_id;
  }

  return {
    /** Sharing twice gives the same link. */
    async share(scope: Scope, id: string): Promise<WholeConversation> {
      const seal = await keyring.sealer(scope.workspace_id);
      return conversations.changing(scope, id, async (tx, before) => {
        if (!canSeeLink(scope, before))
          throw forbidden("Sharing another key's conversation needs the permission conversations_read");
        if (before.public_token !== null) return;
        const token = randomBytes(32).toString('base64url');
        await store.setToken(tx, scope.workspace_id, id, hashOf(token), seal(tokenPurpose, token));
      });
    },

    /** Whoever is watching through the link is cut off too. */
    async unshare(scope: Scope, id: string): Promise<WholeConversation> {
      const unshared = await conversations.changing(scope, id, async (tx, { public_token }) => {
        if (public_token === null) return;
        await store.setToken(tx, scope.workspace_id, id, null, null);
        await notifier.notify(tx, 'links', id);
      });
      notifier.notifyLocal('links', id);
      return unshared;
    },

    async principalOfLink(token: string): Promise<Principal | undefined> {
      const row = await store.findByToken(db, hashOf(token));
      if (!row) return undefined;
      const permissions =
        row.deployment_id === null ? new Set<Permission>() : await options.deployed(row.deployment_id);
      if (!permissions) return undefined;
      return {
        tenant_id: await tenantOf(row.group_id),
        workspace_id: row.group_id,
        home_workspace_id: row.group_id,
        actor: { kind: 'link', id: row.id, name: 'Shared link' },
        permissions,
        tenant_admin: false,
      };
    },

    /** What the holder of the link sees. Which conversation that is, the link has said; no id is taken from the request. */
    async view(scope: Scope): Promise<PublicConversation> {
      const row = await conversations.find(scope, scope.actor.id);
      const settings = effectiveSettings(...layersOf(row));
      const display = channelDisplay(settings);
      const window = { after: undefined, order: 'newest', limit: 200 } as const;
      const messages = await readMessages(db, row.group_id, row.id, window);
      // What was said to the agent and not to the user is none of the guest's business.
      const said = messages.filter(({ role }) => role !== 'system');
      const ui_messages = said.reverse().map((message) => toUiMessage(message, display));
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
