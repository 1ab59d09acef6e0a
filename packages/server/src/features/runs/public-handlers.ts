import { forbidden } from '@atrium/contract/errors.ts';
import { done } from '@atrium/contract/page.ts';
import {
  followPublicConversation,
  stopPublicConversation,
  streamPublicConversation,
} from '@atrium/contract/runs/public-operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Turns } from './start/turns.ts';

/** The limits of guests, set by the page on which they talk. */
export interface Guests {
  takesFiles(scope: Scope): Promise<boolean>;
  /** Throws when the guest has sent too many messages lately. */
  admit(scope: Scope): Promise<void>;
}

/** The endpoints of a shared conversation. The actor of a link is its conversation. */
export const publicRoutes = (turns: Turns, guests: Guests): Route[] => [
  handle(streamPublicConversation, async (scope, { query, body }) => {
    if (body.files?.length && !(await guests.takesFiles(scope)))
      throw forbidden('No files are taken here', 'files_not_allowed');
    await guests.admit(scope);
    return turns.stream(scope, scope.actor.id, body, { format: query.format, if_running: 'reject' });
  }),
  handle(followPublicConversation, (scope, { query, last_event_id }) =>
    turns.events(scope, scope.actor.id, query.format, { ...query, last_event_id }),
  ),
  handle(stopPublicConversation, async (scope) => {
    await turns.interrupt(scope, scope.actor.id);
    return done;
  }),
];
