import type { BranchPlace } from '@atrium/contract/conversations/branch-schema.ts';
import { AppError, conflict, notFound } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { withActors } from '../../actors/service.ts';
import { mayUsePreview, requireVisible } from '../is-visible.ts';
import { supersede } from '../message-store.ts';
import { findConversation, lockConversation } from '../store.ts';
import * as store from './branch-store.ts';

/** The branches of a conversation: edits and other answers put one in the place of another, and none is lost. */
export interface Branches {
  /** The places of the conversation, as it is shown, that have more than one branch. */
  places(scope: Scope, conversation_id: string): Promise<BranchPlace[]>;
  /** The place of one message; a message without other branches is the only branch of its place. */
  placeOf(scope: Scope, conversation_id: string, message_id: string): Promise<BranchPlace>;
  /** Shows the branch that has this message, with all that followed in it. */
  choose(scope: Scope, conversation_id: string, message_id: string): Promise<void>;
}

const longestText = 200;

function textOf(parts: string): string {
  const [first] = JSON.parse(parts) as { content?: unknown }[];
  return typeof first?.content === 'string' ? first.content.slice(0, longestText).toWellFormed() : '';
}

export function makeBranches({ db }: { db: Database }): Branches {
  const find = async (scope: Scope, id: string) =>
    requireVisible(scope, await findConversation(db, scope.workspace_id, id));

  async function readPlaces(on: Db, scope: Scope, id: string, parents?: readonly number[]): Promise<BranchPlace[]> {
    const hidden = await store.listHiddenBranches(on, scope.workspace_id, id);
    const wanted = [...new Set(parents ?? hidden.map(({ parent_seq }) => parent_seq))].sort((a, b) => a - b);
    const shown = await store.listShownBranches(on, scope.workspace_id, id, wanted);
    const named = await withActors(on, scope, [...hidden, ...shown], 'written_by');
    return wanted.map((parent_seq) => {
      const here = named.filter((row) => row.parent_seq === parent_seq).sort((a, b) => a.seq - b.seq);
      return {
        message_id: here.find(({ superseded_by }) => superseded_by === null)?.id ?? null,
        number: here.findIndex(({ superseded_by }) => superseded_by === null) + 1,
        branches: here.map(({ id: message_id, parts, superseded_by, ...row }) => ({
          ...{ message_id, text: textOf(parts), messages: row.messages, is_shown: superseded_by === null },
          ...{ created_at: row.created_at, written_by: row.written_by, written_by_actor: row.written_by_actor },
        })),
      };
    });
  }

  async function findMessage(on: Db, scope: Scope, id: string, message_id: string) {
    const message = await store.findAnyMessage(on, scope.workspace_id, id, message_id);
    if (!message) throw notFound('message');
    return message;
  }

  return {
    async places(scope, id) {
      await find(scope, id);
      return readPlaces(db, scope, id);
    },

    async placeOf(scope, id, message_id) {
      await find(scope, id);
      const parent = await store.findPlace(db, scope.workspace_id, id, message_id);
      const [place] = parent === undefined ? [] : await readPlaces(db, scope, id, [parent]);
      if (!place) throw notFound('message');
      return place;
    },

    async choose(scope, id, message_id) {
      await db.transaction(scope, async (tx) => {
        const row = requireVisible(scope, await lockConversation(tx, scope.workspace_id, id));
        const { superseded_by: branch } = await findMessage(tx, scope, id, message_id);
        if (!mayUsePreview(scope, row)) throw notFound('conversation');
        if (row.is_locked) throw new AppError('locked', row.lock_message ?? 'This conversation is locked');
        if (row.status === 'running' || row.status === 'awaiting_human_feedback')
          throw conflict('The agent still answers in the branch that is shown; stop it first', 'conversation_busy');
        if (branch === null) return;
        const hidden = await store.listHiddenBranches(tx, scope.workspace_id, id);
        const chosen = hidden.find(({ superseded_by }) => superseded_by === branch);
        if (!chosen)
          throw conflict(
            'The message belongs to a branch of a branch that is not shown; choose that one first',
            'branch_not_shown',
          );
        await supersede(tx, scope.workspace_id, id, chosen.parent_seq + 1, newId());
        await store.showBranch(tx, scope.workspace_id, id, branch);
      });
    },
  };
}
