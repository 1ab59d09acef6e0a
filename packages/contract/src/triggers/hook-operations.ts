import * as z from 'zod';
import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
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
  audit: { none: 'a run is work; it is listed with its own trace' },
  params: hookParams,
  query: z.looseObject({}).describe('Any parameters; the run gets them as `trigger.query`.'),
  raw: true,
  body_limit: largest,
  idempotency: 'own',
  errors: [
    { status: 401, code: 'bad_signature', description: 'The signature or the secret is missing or wrong.' },
    { status: 401, code: 'timestamp_out_of_range', description: 'The signed time is too long ago, or in the future.' },
    noSuch('trigger'),
    conflicts('trigger_disabled', 'The trigger is switched off.'),
    conflicts('trigger_paused', 'The owner of the trigger is not active or lacks the permission.'),
  ],
  answer: hookAnswer,
});

export const triggerHookOperations = [receiveHook];
