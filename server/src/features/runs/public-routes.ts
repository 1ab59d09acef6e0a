import { z } from 'zod';
import { forbidden } from '../../lib/errors.ts';
import { done, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import * as s from '../../lib/schema/schema.ts';
import type { Scope } from '../../lib/scope.ts';
import { base64 } from '../attachments/schema.ts';
import { publicParams } from '../conversations/schema.ts';
import type { MessageRequest } from './message-request.ts';
import { eventsQuery, publicStreamQuery } from './schema.ts';
import { asMessageRequest } from './transport-request.ts';
import type { Turns } from './turns.ts';

/** The bytes themselves: a guest has us fetch nothing and knows no files of the workspace. */
const guestFile = s
  .object({
    status: s.withDefault(s.oneOf(['success']), 'success'),
    name: s.str({ max: 1000 }),
    b64_content: base64,
    size: s.withDefault(s.int({ ge: 0 }), 1),
    type: s.withDefault(s.str({ max: 255 }), ''),
  })
  .meta({ id: 'GuestFile' });

/** What a guest says: words and files. Which tools and models answer is not for guests to choose. */
const guestMessage = z
  .preprocess(
    asMessageRequest,
    s.object({
      content: s.str({ min: 1, max: 2_000_000, pattern: /\S/ }),
      files: s.optional(s.list(guestFile, { max: 50 })),
    }),
  )
  .meta({ id: 'GuestMessage' }) as unknown as z.ZodType<MessageRequest>;

const shared = {
  tag: 'Conversations',
  permission: 'link' as const,
  params: publicParams,
  answer: z.looseObject({}),
  content_type: 'text/event-stream',
};

/** What guests may do besides what any may: as the page allows where they talk. */
export interface Guests {
  takesFiles(scope: Scope): Promise<boolean>;
  /** Fails when they have said too much lately. */
  admit(scope: Scope): Promise<void>;
}

/** A shared conversation, for whoever holds its link. Which one that is, the link has said: its actor is that one. */
export const publicRoutes = (turns: Turns, guests: Guests): Route[] => [
  defineRoute({
    ...shared,
    route: 'POST /v1/public/conversations/{token}/stream',
    summary: 'Say something in a shared conversation and stream the answer',
    query: publicStreamQuery,
    body: guestMessage,
    body_limit: 40 * 1024 * 1024,
    idempotency: 'own',
    example: { content: 'Where is my order 1042?' },
    async handler(scope, { query, body }) {
      if (body.files?.length && !(await guests.takesFiles(scope)))
        throw forbidden('No files are taken here', 'files_not_allowed');
      await guests.admit(scope);
      return turns.stream(scope, scope.actor.id, body, { format: query.format, if_running: 'reject' });
    },
  }),
  defineRoute({
    ...shared,
    route: 'GET /v1/public/conversations/{token}/events',
    summary: 'Join the answer that is being given in a shared conversation',
    query: eventsQuery,
    handler: (scope, { query, last_event_id }) =>
      turns.events(scope, scope.actor.id, query.format, { ...query, last_event_id }),
  }),
  defineRoute({
    tag: 'Conversations',
    permission: 'link',
    params: publicParams,
    route: 'POST /v1/public/conversations/{token}/stop',
    summary: 'Stop the answer that is being given in a shared conversation',
    answer: success,
    async handler(scope) {
      await turns.interrupt(scope, scope.actor.id);
      return done;
    },
  }),
];
