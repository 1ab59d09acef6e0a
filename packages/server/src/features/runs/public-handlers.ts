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

/** What guests may do besides what any may: as the page allows where they talk. */
export interface Guests {
  takesFiles(scope: Scope): Promise<boolean>;
  /** Fails when they have said too much lately. */
  admit(scope: Scope): Promise<void>;
}

/** A shared conversation, for whoever holds its link. Which one that is, the link has said: its actor is that one. */
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
