import { type ChannelName, type ConfigValues, channelConfigs } from '@atrium/contract/deployments/channel-config.ts';
import { AppError } from '@atrium/contract/errors.ts';
import type { Db } from '../../db/database.ts';
import type { LiveDeployment } from '../deployments/service.ts';
import { countRate, endOfRate } from './store.ts';

/** So many of something in so many seconds. */
export interface Rate {
  counted: string;
  most: number;
  seconds: number;
}

type Counted = Pick<LiveDeployment, 'id' | 'group_id'>;

/** Counts one more of each. Answers the seconds to wait when one is used up; what was counted before it stays so. */
export async function countAgainstRates(db: Db, { id, group_id }: Counted, rates: readonly Rate[]): Promise<number> {
  for (const rate of rates) if (!(await countRate(db, group_id, id, rate))) return endOfRate(db, group_id, id, rate);
  return 0;
}

/** The same, as a refusal. The narrowest comes first, so that who is refused uses up nothing of the others'. */
export async function requireRates(db: Db, deployment: Counted, rates: readonly Rate[], what: string): Promise<void> {
  const seconds = await countAgainstRates(db, deployment, rates);
  if (seconds === 0) return;
  throw new AppError('too_many', `Too many ${what} here; try again later`, {
    code: 'rate_limited',
    headers: { 'retry-after': String(seconds) },
  });
}

/** A limit of the deployment's own, or else the usual one. */
export function limitOf(channel: ChannelName, config: ConfigValues, name: keyof ConfigValues): number {
  return Number(config[name] ?? channelConfigs[channel].defaults[name]);
}
