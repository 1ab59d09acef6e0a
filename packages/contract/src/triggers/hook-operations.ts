import * as z from 'zod';
import { operation } from '../operation.ts';
import { triggersRoutes } from './routes.ts';
import { hookAnswer, hookParams } from './schema.ts';

/** Webhooks carry events, not files. */
const largest = 1024 * 1024;

export const receiveHook = operation({
  id: 'triggers.receiveHook',
  route: triggersRoutes['triggers.receiveHook'],
  summary: 'Send a message to a webhook trigger',
  description:
    'Fires the webhook trigger that the routing key belongs to; answers as soon as the message is stored, and the run starts after that. No API key is needed: the sender proves itself as the `auth` of the trigger says. A message with an id that came before is answered with the first delivery and fires nothing.',
  tag: 'Triggers',
  permission: 'open',
  params: hookParams,
  query: z.looseObject({}).describe('Any parameters; the run gets them as `trigger.query`.'),
  raw: true,
  body_limit: largest,
  idempotency: 'own',
  answer: hookAnswer,
});

export const triggerHookOperations = [receiveHook];
