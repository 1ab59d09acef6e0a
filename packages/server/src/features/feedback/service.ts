import { invalid } from '@atrium/contract/errors.ts';
import type {
  Feedback,
  FeedbackBody,
  FeedbackEntry,
  FeedbackListQuery,
  WorkspaceFeedbackQuery,
} from '@atrium/contract/feedback/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { required } from '../../lib/required.ts';
import { personBehind, type Scope } from '../../lib/scope.ts';
import { withNames } from '../actors/service.ts';
import type { Transcript } from '../conversations/ports.ts';
import { type Conversations, onlyOf } from '../conversations/service.ts';
import * as store from './store.ts';

export { ratedConversations } from './store.ts';

export interface Feedbacks {
  /** Stores the caller's feedback; `message_id` null: about the whole conversation. */
  give(scope: Scope, conversation_id: string, message_id: string | null, body: FeedbackBody): Promise<Feedback>;
  /** Deletes the caller's feedback. It succeeds when there is none. */
  withdraw(scope: Scope, conversation_id: string, message_id: string | null): Promise<void>;
  list(scope: Scope, conversation_id: string, query: FeedbackListQuery): Promise<Paged<Feedback>>;
  /** The feedback about all conversations that the caller sees. */
  listAll(scope: Scope, query: WorkspaceFeedbackQuery): Promise<Paged<FeedbackEntry>>;
}

/** Called in the transaction that stores feedback; null: the feedback was deleted. */
export type OnFeedback = (tx: Db, scope: Scope, id: string, given: Feedback | null) => Promise<void>;

/** The score of feedback; thumbs count as 5 and 1. */
export const scoreOf = ({ score, rating }: Pick<Feedback, 'score' | 'rating'>): number | null =>
  score ?? (rating === null ? null : rating === 'up' ? 5 : 1);

/** A person's sessions and keys give feedback as that person. */
function giverOf(scope: Scope): { kind: string; id: string } {
  const person_id = personBehind(scope);
  return person_id === null ? scope.actor : { kind: 'person', id: person_id };
}

export function makeFeedback(deps: {
  db: Database;
  conversations: Conversations;
  transcript: Transcript;
  onFeedback: OnFeedback;
}): Feedbacks {
  const { db, conversations, transcript, onFeedback } = deps;

  /** The conversation must have the message, and no other branch may have replaced it. */
  async function requireSubject(scope: Scope, conversation_id: string, message_id: string | null): Promise<void> {
    await conversations.find(scope, conversation_id);
    if (message_id !== null) await transcript.getMessage(db, scope, conversation_id, message_id);
  }

  async function named<T extends store.Feedback>(on: Db, scope: Scope, rows: readonly T[]) {
    const givers = await withNames(
      on,
      scope,
      rows.map(({ given_by }) => given_by),
    );
    return rows.map((row, at) => ({ ...row, given_by: required(givers[at]) }));
  }

  return {
    async give(scope, conversation_id, message_id, body) {
      const [rating, score, comment] = [body.rating ?? null, body.score ?? null, body.comment ?? null];
      if (rating === null && score === null && !comment?.trim())
        throw invalid(['body'], 'Say a rating, a score or a comment', body);
      await requireSubject(scope, conversation_id, message_id);
      const { kind: actor_kind, id: actor_id } = giverOf(scope);
      const given = { id: newId(), conversation_id, message_id, actor_kind, actor_id, rating, score, comment };
      return db.transaction(scope, async (tx) => {
        const [feedback] = await named(tx, scope, [await store.putFeedback(tx, scope.workspace_id, given)]);
        await onFeedback(tx, scope, required(feedback).id, required(feedback));
        return required(feedback);
      });
    },

    async withdraw(scope, conversation_id, message_id) {
      await requireSubject(scope, conversation_id, message_id);
      const key = { conversation_id, message_id, actor_id: giverOf(scope).id };
      await db.transaction(scope, async (tx) => {
        const deleted = await store.deleteFeedback(tx, scope.workspace_id, key);
        if (deleted) await onFeedback(tx, scope, deleted.id, null);
      });
    },

    async list(scope, conversation_id, query) {
      await conversations.find(scope, conversation_id);
      const window = pageOf(query);
      const { rows, total, last } = await store.listFeedback(db, scope.workspace_id, conversation_id, query, window);
      return pageAnswer(await named(db, scope, rows), total, window, last);
    },

    async listAll(scope, query) {
      const window = pageOf(query);
      const own = { ...query, person_id: onlyOf(scope) };
      const { rows, total, last } = await store.listWorkspaceFeedback(db, scope.workspace_id, own, window);
      return pageAnswer(await named(db, scope, rows), total, window, last);
    },
  };
}
