import * as z from 'zod';
import { channels } from '../deployments/channel-config.ts';
import { operation } from '../operation.ts';
import * as s from '../schema/schema.ts';
import { channelsRoutes } from './routes.ts';

const params = s.object({
  deployment_id: s.str({ max: 100 }).describe('The id of the deployment.'),
  // Walks over all routes try the first value.
  channel: s
    .oneOf(['webhook', ...channels.filter((name) => name !== 'webhook')])
    .describe('The channel of the deployment; another one is answered with 404.'),
});

export const receiveChannelEvent = operation({
  id: 'channels.receive',
  route: channelsRoutes['channels.receive'],
  summary: 'Receive a message of a channel',
  description:
    'The endpoint that a channel (Slack, Teams, a mail service, a program, the chat page) posts messages to; its path is the `inbound_path` of the deployment. The sender proves itself as its channel does it: a signature, a token or a secret. The request is answered once the message is stored, and a repeated delivery of a message changes nothing; the reply of the agent is sent later, through the channel. The answer depends on the channel.',
  tag: 'Channels',
  permission: 'open',
  audit: { none: 'messages are content' },
  params,
  raw: true,
  body_limit: 40 * 1024 * 1024,
  idempotency: 'own',
  answer: z.looseObject({}),
});

export const channelsOperations = [receiveChannelEvent];
