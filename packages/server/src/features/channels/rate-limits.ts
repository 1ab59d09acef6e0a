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

/** Counts one use of each rate. Returns the seconds to wait when one is used up; rates before it stay counted. */
export async function countAgainstRates(db: Db, { id, group_id }: Counted, rates: readonly Rate[]): Promise<number> {
  for (const rate of rates) if (!(await countRate(db, group_id, id, rate))) return endOfRate(db, group_id, id, rate);
  return 0;
}

/**
 * Throws when a rate is used up. The narrowest rate comes first, so that a refused caller does not use up the shared
 * ones.
 */
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
