import { z } from 'zod';
import { channels } from '../deployments/channel-config.ts';
import { operation } from '../operation.ts';
import * as s from '../schema/schema.ts';
import { channelsRoutes } from './routes.ts';

const params = s.object({
  deployment_id: s.str({ max: 100 }),
  // The first is the one that walks over all routes try.
  channel: s.oneOf(['webhook', ...channels.filter((name) => name !== 'webhook')]),
});

export const receiveChannelEvent = operation({
  id: 'channels.receive',
  route: channelsRoutes['channels.receive'],
  summary: 'Take what a channel delivers; answered once it is stored, and delivering it again changes nothing',
  tag: 'Channels',
  permission: 'open',
  params,
  raw: true,
  body_limit: 40 * 1024 * 1024,
  idempotency: 'own',
  answer: z.looseObject({}),
});

export const channelsOperations = [receiveChannelEvent];
