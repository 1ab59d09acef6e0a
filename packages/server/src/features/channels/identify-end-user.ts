import type { ChannelName } from '@atrium/contract/deployments/channel-config.ts';
import { z } from 'zod';
import type { EndUser } from '../conversations/ports.ts';
import type { ChannelRef } from './channel.ts';

const named = z.union([
  z.object({ user: z.string().min(1), team_id: z.string() }),
  z.object({ user: z.object({ id: z.string().min(1).optional(), name: z.string().min(1).nullish() }) }),
  z.object({ address: z.string().min(1) }),
]);

/** The writer of a message, as the channel identifies them; undefined where it does not. */
export function identifyEndUser(channel: ChannelName, deployment_id: string, ref: ChannelRef): EndUser | undefined {
  const { data } = named.safeParse(ref);
  if (!data) return undefined;
  // An address means the same person everywhere, a member of a team in all of that team.
  if ('address' in data) return { door: channel, id: data.address.toLowerCase(), name: data.address };
  if ('team_id' in data) return { door: `${channel} ${data.team_id}`, id: data.user, name: data.user };
  const { id, name } = data.user;
  const known = id ?? name;
  return known ? { door: `${channel} ${deployment_id}`, id: known, name: name ?? known } : undefined;
}
