import { AppError, conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { actorId, namesOf, personBehind, recordOwner, type Scope } from '../../../lib/scope.ts';
import type { FindHiddenRuns } from '../../ownership/service.ts';
import { canSeeLink } from '../can-see-link.ts';
import { mayUsePreview, requireVisible } from '../is-visible.ts';
import { readMessages } from '../message-store.ts';
import { nameConversation } from '../name-actors.ts';
import type { WholeConversation } from '../ports.ts';
import { findHiddenAnswers, hideAnswers } from '../shares/hide-answers.ts';
import * as conversations from '../store.ts';
import * as store from './copy-store.ts';

const mostMessages = 5000;
const pageSize = 200;

export type CopyConversation = (
  scope: Scope,
  id: string,
  message_id: string,
  name: string | undefined,
) => Promise<WholeConversation>;

/** Copies a conversation up to a message. Locks that an administrator turned off for it apply to the copy again. */
export function makeCopyConversation({
  db,
  requireStorage,
  copyFileLinks,
  findHiddenRuns,
}: {
  db: Database;
  findHiddenRuns: FindHiddenRuns;
  /** Refuses to store more in a workspace that may not keep more. */
  requireStorage(workspace_id: string): Promise<void>;
  /** Lets the readers of the copy read the files of the messages. */
  copyFileLinks(tx: Db, workspace_id: string, from: string, to: string): Promise<unknown>;
}): CopyConversation {
  /**
   * Which runs are hidden from the caller, looked up before the transaction, since a look-up within it takes a second
   * connection. Runs that have answered since are hidden too.
   */
  async function findHidden(scope: Scope, from: string): Promise<FindHiddenRuns> {
    const row = requireVisible(scope, await conversations.findConversation(db, scope.workspace_id, from));
    const shown = new Set<string>();
    const note: FindHiddenRuns = async (_, runs) => {
      const hidden = await findHiddenRuns(scope, runs);
      for (const run of runs) if (!hidden.has(run)) shown.add(run);
      return hidden;
    };
    for (let after = 0, read = 0; read < mostMessages; read += pageSize) {
      const window = { after, order: 'oldest', limit: pageSize } as const;
      const page = await readMessages(db, scope.workspace_id, from, window);
      await findHiddenAnswers(scope, row, page, note);
      after = page.at(-1)?.seq ?? after;
      if (page.length < pageSize) break;
    }
    return async (_, runs) => new Set(runs.filter((run) => !shown.has(run)));
  }

  return async (scope, from, message_id, name) => {
    await requireStorage(scope.workspace_id);
    const hidden = await findHidden(scope, from);
    return db.transaction(scope, async (tx) => {
      const { workspace_id } = scope;
      const row = requireVisible(scope, await conversations.lockConversation(tx, workspace_id, from));
      // The copy is the caller's own, who could share it.
      if (!canSeeLink(scope, row))
        throw forbidden("Copying another key's conversation needs the permission conversations_read");
      const place = await store.findPlace(tx, workspace_id, from, message_id);
      if (!place) throw notFound('message');
      if (!mayUsePreview(scope, row)) throw notFound('conversation');
      if (row.is_locked) throw new AppError('locked', row.lock_message ?? 'This conversation is locked');
      if (row.status === 'running' || row.status === 'awaiting_human_feedback')
        throw conflict('The agent still answers in the conversation; stop it first', 'conversation_busy');
      if (place.messages > mostMessages)
        throw conflict(`At most ${mostMessages} messages are copied`, 'conversation_too_long');

      const to = newId();
      await conversations.insertConversation(tx, workspace_id, {
        id: to,
        user_id: null,
        api_key_id: scope.actor.kind === 'api_key' ? scope.actor.id : null,
        created_by: actorId(scope),
        person_id: personBehind(scope),
        owner_id: recordOwner(scope),
        name: name ?? row.name,
        assistant_id: row.assistant_id,
        assistant_version_id: row.assistant_version_id,
        preview: row.preview,
        settings: row.settings,
        variables: (await conversations.findVariables(tx, workspace_id, from)) ?? null,
        restricted_settings: (await conversations.findRestricted(tx, workspace_id, from))?.restricted ?? [],
        charged_to: row.charged_to,
      });
      for (let after = 0, copied = 0; copied < place.messages; ) {
        const limit = Math.min(pageSize, place.messages - copied);
        const page = await readMessages(tx, workspace_id, from, { after, order: 'oldest', limit });
        const visible = await hideAnswers(scope, row, page, hidden);
        // A guest is known by the conversation.
        const own = visible.map((message) => (message.written_by === from ? { ...message, written_by: to } : message));
        await store.insertMessages(tx, workspace_id, to, own, copied + 1);
        copied += page.length;
        after = page.at(-1)?.seq ?? place.seq;
        if (page.length === 0) break;
      }
      const carried = { names: namesOf(scope.actor), messages: place.messages };
      await store.copyLimits(tx, workspace_id, { from, to }, carried);
      await copyFileLinks(tx, workspace_id, from, to);
      const copy = await conversations.findConversation(tx, workspace_id, to);
      if (!copy) throw notFound('conversation');
      const newest = await readMessages(tx, workspace_id, to, { after: undefined, order: 'newest', limit: pageSize });
      return nameConversation(tx, scope, { ...copy, public_access_token: null }, newest.reverse());
    });
  };
}
