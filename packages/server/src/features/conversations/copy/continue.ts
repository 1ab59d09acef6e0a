import { AppError, forbidden, notFound } from '@atrium/contract/errors.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { actorId, namesOf, personBehind, recordOwner, type Scope } from '../../../lib/scope.ts';
import { canSeeLink } from '../can-see-link.ts';
import { mayUsePreview, requireWritable } from '../is-visible.ts';
import { readMessages } from '../message-store.ts';
import { nameConversation } from '../name-actors.ts';
import type { WholeConversation } from '../ports.ts';
import * as conversations from '../store.ts';
import * as store from './copy-store.ts';

export type ContinueConversation = (
  scope: Scope,
  id: string,
  body: { summary?: string | undefined; name?: string | undefined },
) => Promise<WholeConversation>;

/** Whether what was said may go into a conversation of the caller's own, who could share that one. */
export function requireContinuable<T extends conversations.ConversationRow>(scope: Scope, found: T | undefined): T {
  const row = requireWritable(scope, found);
  if (!canSeeLink(scope, row))
    throw forbidden("Going on with another key's conversation needs the permission conversations_read");
  if (!mayUsePreview(scope, row)) throw notFound('conversation');
  if (row.is_locked) throw new AppError('locked', row.lock_message ?? 'This conversation is locked');
  return row;
}

/** Begins a conversation that goes on with another one, with a summary in place of its messages. */
export function makeContinueConversation({
  db,
  requireStorage,
}: {
  db: Database;
  /** Refuses to store more in a workspace that may not keep more. */
  requireStorage(workspace_id: string): Promise<void>;
}): ContinueConversation {
  return async (scope, from, { summary = '', name }) => {
    await requireStorage(scope.workspace_id);
    return db.transaction(scope, async (tx) => {
      const { workspace_id } = scope;
      const row = requireContinuable(scope, await conversations.findConversation(tx, workspace_id, from));
      const to = newId();
      await conversations.insertConversation(tx, workspace_id, {
        id: to,
        user_id: null,
        api_key_id: scope.actor.kind === 'api_key' ? scope.actor.id : null,
        created_by: actorId(scope),
        person_id: personBehind(scope),
        owner_id: recordOwner(scope),
        name: name ?? null,
        assistant_id: row.assistant_id,
        assistant_version_id: row.assistant_version_id,
        preview: row.preview,
        settings: row.settings,
        variables: (await conversations.findVariables(tx, workspace_id, from)) ?? null,
        restricted_settings: (await conversations.findRestricted(tx, workspace_id, from))?.restricted ?? [],
        charged_to: row.charged_to,
      });
      const told = summary.trim();
      if (told) await store.insertSummary(tx, workspace_id, to, told, actorId(scope));
      await store.carryLimits(tx, workspace_id, { from, to }, { names: namesOf(scope.actor), told: told !== '' });
      const made = await conversations.findConversation(tx, workspace_id, to);
      if (!made) throw notFound('conversation');
      const messages = await readMessages(tx, workspace_id, to, { after: undefined, order: 'oldest', limit: 1 });
      return nameConversation(tx, scope, { ...made, public_access_token: null }, messages);
    });
  };
}
