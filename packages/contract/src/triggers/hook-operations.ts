import { z } from 'zod';
import { operation } from '../operation.ts';
import { triggersRoutes } from './routes.ts';
import { hookAnswer, hookParams } from './schema.ts';

/** A message is an occasion, not a transport for files. */
const largest = 1024 * 1024;

export const receiveHook = operation({
  id: 'triggers.receiveHook',
  route: triggersRoutes['triggers.receiveHook'],
  summary: 'Send a message to a webhook trigger',
  tag: 'Triggers',
  permission: 'open',
  params: hookParams,
  query: z.looseObject({}),
  raw: true,
  body_limit: largest,
  idempotency: 'own',
  answer: hookAnswer,
});

export const triggerHookOperations = [receiveHook];
