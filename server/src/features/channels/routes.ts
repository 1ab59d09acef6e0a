import { z } from 'zod';
import { defineRoute, type RawBody, type Route } from '../../lib/route.ts';
import * as s from '../../lib/schema/schema.ts';
import type { Scope } from '../../lib/scope.ts';
import { type ChannelName, channels } from '../deployments/channel-config.ts';

const params = s.object({
  deployment_id: s.str({ max: 100 }),
  // The first is the one that walks over all routes try.
  channel: s.oneOf(['webhook', ...channels.filter((name) => name !== 'webhook')]),
});

/** Where channels deliver what people say. Each has its own way to prove who it is. */
export const channelRoutes = (
  accept: (scope: Scope, id: string, channel: ChannelName, sent: RawBody) => Promise<Record<string, unknown>>,
): Route[] => [
  defineRoute({
    route: 'POST /v1/channels/{deployment_id}/{channel}',
    summary: 'Take what a channel delivers; answered once it is stored, and delivering it again changes nothing',
    tag: 'Channels',
    permission: 'open',
    params,
    raw: true,
    body_limit: 40 * 1024 * 1024,
    // The channel's own id of a message says what was delivered before.
    idempotency: 'own',
    answer: z.looseObject({}),
    handler: (scope, { params, raw }) => accept(scope, params.deployment_id, params.channel, raw()),
  }),
];
