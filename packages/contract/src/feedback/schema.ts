import { z } from 'zod';
import { paged, pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

export const feedback = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    conversation_id: z.guid(),
    /** Null: it is about the whole conversation. */
    message_id: z.guid().nullable(),
    rating: z.enum(['up', 'down']).nullable(),
    score: z.int().nullable(),
    comment: z.string().nullable(),
    given_by: z.strictObject({ kind: z.string(), id: z.guid() }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Feedback' });

export const feedbackPage = paged(feedback);
export const feedbackListQuery = s.query({ ...pageFields });

const fields = {
  rating: s.optional(s.oneOf(['up', 'down'])),
  score: s.optional(s.int({ ge: 1, le: 5 })),
  comment: s.optional(s.str({ max: 10_000 })),
};
export const feedbackBody = s.object(fields).meta({ id: 'FeedbackGiven' });
/** A guest says in the body which message is meant: the path has only the link. */
export const guestFeedbackBody = s
  .object({ ...fields, message_id: s.optional(s.uuid('message')) })
  .meta({ id: 'GuestFeedbackGiven' });

export const conversationParams = s.object({ conversation_id: s.uuid('conversation') });
export const messageParams = s.object({ conversation_id: s.uuid('conversation'), message_id: s.uuid('message') });

export type Feedback = z.output<typeof feedback>;
export type FeedbackBody = z.output<typeof feedbackBody>;
export type FeedbackListQuery = z.output<typeof feedbackListQuery>;
