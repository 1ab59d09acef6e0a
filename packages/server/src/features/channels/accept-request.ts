import type { ChannelName } from '@atrium/contract/deployments/channel-config.ts';
import { notFound } from '@atrium/contract/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Deployments } from '../deployments/service.ts';
import type { SentBytes } from './channel.ts';
import type { Inbox } from './inbox.ts';
import type { WebChannel } from './web/web.ts';

/** Accepts a request to the inbound path of a deployment; returns the body of the answer. */
export type AcceptRequest = (
  scope: Scope,
  deployment_id: string,
  channel: ChannelName,
  sent: SentBytes,
) => Promise<Record<string, unknown>>;

export const makeAcceptRequest =
  (deps: {
    deployments: Pick<Deployments, 'live'>;
    inbox: Pick<Inbox, 'accept'>;
    webChannel: Pick<WebChannel, 'begin'>;
  }): AcceptRequest =>
  async (scope, deployment_id, channel, sent) => {
    const deployment = await deps.deployments.live(deployment_id);
    if (deployment?.channel !== channel) throw notFound('deployment');
    if (channel === 'web') return deps.webChannel.begin(scope, deployment_id, sent);
    return deps.inbox.accept(deployment, sent);
  };
