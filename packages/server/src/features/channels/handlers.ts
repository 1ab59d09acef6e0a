import { receiveChannelEvent } from '@atrium/contract/channels/operations.ts';
import type { ChannelName } from '@atrium/contract/deployments/channel-config.ts';
import { handle, type RawBody, type Route } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';

/** Where channels deliver what people say. Each has its own way to prove who it is. */
export const channelRoutes = (
  accept: (scope: Scope, id: string, channel: ChannelName, sent: RawBody) => Promise<Record<string, unknown>>,
): Route[] => [
  handle(receiveChannelEvent, (scope, { params, raw }) => accept(scope, params.deployment_id, params.channel, raw())),
];
