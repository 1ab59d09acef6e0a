import * as z from 'zod';
import { conversationId } from '../conversations/schema.ts';
import { createdAt, groupId, updatedAt } from '../fields.ts';
import { timedList } from '../list-query.ts';
import { paged, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';

export const feedback = z
  .strictObject({
    id: z.guid().describe('The id of the feedback.'),
    group_id: groupId,
    conversation_id: z.guid().describe('The conversation that the feedback is about.'),
    message_id: z.guid().nullable().describe('The message that the feedback is about; null: the whole conversation.'),
    rating: z.enum(['up', 'down']).nullable().describe('Thumbs up or down; null when not given.'),
    score: z.int().nullable().describe('A score from 1 (worst) to 5 (best); null when not given.'),
    comment: z.string().nullable().describe('What the giver wrote; null when nothing.'),
    given_by: z
      .strictObject({
        kind: z.string().describe('The kind of actor: `person`, `api_key`, `link` and others.'),
        id: z.guid().describe('The id of the actor; for guests of a shared link that of the conversation.'),
        name: z.string().nullable().describe('The current name of the actor; null when it is gone, and for guests.'),
      })
      .describe('The actor that gave the feedback.'),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: 'Feedback' });

export const feedbackPage = paged(
  feedback,
  summaryOf(feedback, ['id', 'message_id', 'rating', 'score', 'comment', 'created_at', 'updated_at']),
);
export const feedbackListQuery = s.query(timedList());

/** Feedback with the agent that it is about, for lists of a whole workspace. */
const feedbackEntry = z
  .strictObject({
    ...feedback.shape,
    assistant_id: z.guid().nullable().describe('The agent of the conversation. Null: it has none.'),
  })
  .meta({ id: 'FeedbackEntry' });
export const feedbackEntryPage = paged(
  feedbackEntry,
  summaryOf(feedbackEntry, [
    'id',
    'conversation_id',
    'assistant_id',
    'message_id',
    'rating',
    'score',
    'comment',
    'created_at',
    'updated_at',
  ]),
);
export const workspaceFeedbackQuery = s.query({
  ...timedList(),
  assistant_id: s.optional(s.uuid('agent')).describe('Only feedback about conversations with this agent.'),
  conversation_id: s.optional(s.uuid('conversation')).describe('Only feedback about this conversation.'),
  rating: s.optional(s.oneOf(['up', 'down'])).describe('Only feedback with this rating.'),
  score: s.optional(s.int({ ge: 1, le: 5 })).describe('Only feedback with this score.'),
  commented: s.optional(s.bool()).describe('Only feedback with a comment, or only feedback without one.'),
});

const fields = {
  rating: s.optional(s.oneOf(['up', 'down'])).describe('Thumbs up or down.'),
  score: s.optional(s.int({ ge: 1, le: 5 })).describe('A score from 1 (worst) to 5 (best).'),
  comment: s.optional(s.str({ max: 10_000 })).describe('Free text.'),
};
export const feedbackBody = s.object(fields).meta({ id: 'FeedbackGiven' });
/** A guest names the message in the body, because the path has only the link. */
export const guestFeedbackBody = s
  .object({
    ...fields,
    message_id: s
      .optional(s.uuid('message'))
      .describe('The message that is rated; the whole conversation unless given.'),
  })
  .meta({ id: 'GuestFeedbackGiven' });

export const messageParams = s.object({
  conversation_id: conversationId,
  message_id: s.uuid('message').describe('The id of the message.'),
});

export type Feedback = z.output<typeof feedback>;
export type FeedbackBody = z.output<typeof feedbackBody>;
export type FeedbackEntry = z.output<typeof feedbackEntry>;
export type WorkspaceFeedbackQuery = z.output<typeof workspaceFeedbackQuery>;
export type FeedbackListQuery = z.output<typeof feedbackListQuery>;
