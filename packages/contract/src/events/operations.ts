import { operation } from '../operation.ts';
import { eventsRoutes } from './routes.ts';
import { liveEvent, liveEventsQuery } from './schema.ts';

export const followEvents = operation({
  id: 'events.follow',
  route: eventsRoutes['events.follow'],
  summary: 'Follow what happens in the workspace',
  description:
    'Streams the events of the workspace as server-sent events: each has an id, and its data is a LiveEvent as JSON. A client that was cut off sends the id of the last event in the `Last-Event-ID` header and gets what it missed, up to 1,000 events of the last ten minutes; else it is sent `reset` and should load again what it shows. The caller receives only events of records that it may see at that moment.',
  tag: 'Events',
  // Each event is checked against what the caller may see.
  permission: 'any',
  query: liveEventsQuery,
  answer: liveEvent,
  content_type: 'text/event-stream',
});

export const eventsOperations = [followEvents];
