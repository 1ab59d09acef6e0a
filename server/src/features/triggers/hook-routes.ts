import { z } from 'zod';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { Hooks } from './hooks.ts';
import { hookAnswer, hookParams } from './schema.ts';

/** A message is an occasion, not a transport for files. */
const largest = 1024 * 1024;

export const hookRoutes = (hooks: Hooks): Route[] => [
  defineRoute({
    route: 'POST /hooks/{routing_key}',
    summary: 'Send a message to a webhook trigger',
    tag: 'Triggers',
    permission: 'open',
    params: hookParams,
    query: z.looseObject({}),
    raw: true,
    body_limit: largest,
    // The key names the message: it is kept with what the message made fire.
    idempotency: 'own',
    answer: hookAnswer,
    handler: (scope, { params, query, raw }) => hooks.receive(scope, params.routing_key, raw(), query),
  }),
];
