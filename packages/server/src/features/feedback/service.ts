import { invalid } from '@atrium/contract/errors.ts';
import type { Feedback, FeedbackBody, FeedbackListQuery } from '@atrium/contract/feedback/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/ports.ts';
import type { Conversations } from '../conversations/service.ts';
import * as store from './store.ts';

export type Feedbacks = ReturnType<typeof makeFeedback>;

/** What else happens when somebody says what they think; null: they took it back. In the same transaction. */
export type OnFeedback = (tx: Db, scope: Scope, id: string, given: Feedback | null) => Promise<void>;

/** A thumb is an opinion too: all the way up, or all the way down. */
export const scoreOf = ({ score, rating }: Pick<Feedback, 'score' | 'rating'>): number | null =>
  score ?? (rating === null ? null : rating === 'up' ? 5 : 1);

export function makeFeedback(deps: {
  db: Database;
  conversations: Conversations;
  transcript: Transcript;
  heard: OnFeedback;
}) {
  const { db, conversations, transcript, heard } = deps;

  /** The message has to stand in the conversation; one that was replaced by another branch does not. */
  async function requirePlace(scope: Scope, conversation_id: string, message_id: string | null): Promise<void> {
    await conversations.find(scope, conversation_id);
    if (message_id !== null) await transcript.getMessage(db, scope, conversation_id, message_id);
  }

  return {
    async give(
      scope: Scope,
      conversation_id: string,
      message_id: string | null,
      body: FeedbackBody,
    ): Promise<Feedback> {
      const [rating, score, comment] = [body.rating ?? null, body.score ?? null, body.comment ?? null];
      if (rating === null && score === null && !comment?.trim())
        throw invalid(['body'], 'Say a rating, a score or a comment', body);
      await requirePlace(scope, conversation_id, message_id);
      const { kind: actor_kind, id: actor_id } = scope.actor;
      const given = { id: newId(), conversation_id, message_id, actor_kind, actor_id, rating, score, comment };
      return db.transaction(scope, async (tx) => {
        const kept = await store.putFeedback(tx, scope.workspace_id, given);
        await heard(tx, scope, kept.id, kept);
        return kept;
      });
    },

    async withdraw(scope: Scope, conversation_id: string, message_id: string | null): Promise<void> {
      await requirePlace(scope, conversation_id, message_id);
      const key = { conversation_id, message_id, actor_id: scope.actor.id };
      await db.transaction(scope, async (tx) => {
        const gone = await store.deleteFeedback(tx, scope.workspace_id, key);
        // Who has said nothing has nothing to take back, and that is how they want it.
        if (gone) await heard(tx, scope, gone.id, null);
      });
    },

    async list(scope: Scope, conversation_id: string, query: FeedbackListQuery): Promise<Paged<Feedback>> {
      await conversations.find(scope, conversation_id);
      const window = pageOf(query);
      const { rows, total } = await store.listFeedback(db, scope.workspace_id, conversation_id, window);
      return pageAnswer(rows, total, window);
    },
  };
}
