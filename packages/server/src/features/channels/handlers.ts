import { receiveChannelEvent } from '@atrium/contract/channels/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { AcceptRequest } from './accept-request.ts';

/** The endpoint that channels post messages to; each channel has its own way to prove its identity. */
export const channelRoutes = (accept: AcceptRequest): Route[] => [
  handle(receiveChannelEvent, (scope, { params, raw }) => accept(scope, params.deployment_id, params.channel, raw())),
];
