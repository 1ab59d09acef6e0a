import { followEvents } from '@atrium/contract/events/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { LiveEvents } from './service.ts';

export const eventRoutes = (events: LiveEvents): Route[] => [
  handle(followEvents, (scope, { query, last_event_id }) => events.follow(scope, query, last_event_id)),
];
