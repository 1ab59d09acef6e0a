import { isDeepStrictEqual } from 'node:util';
import { lockGroups, lockNames } from '@atrium/contract/settings/locks.ts';
import { effectiveSettings, type SparseSettings, settingKeys } from '@atrium/contract/settings/settings.ts';
import { tighten } from './tighten-settings.ts';

/**
 * The layer by which locks of the published agent bind a conversation that began before them. Keys that the conversation
 * had loosened are as strict as the agent's again; keys without a direction have the agent's value again.
 */
export function lockedLayer(
  base: SparseSettings | null,
  own: SparseSettings | null,
  published: SparseSettings,
  /** Locks that an administrator has turned off for this conversation. */
  unlocked: readonly string[] = [],
): SparseSettings | null {
  const locks = lockNames.filter((lock) => published[lock] === true && !unlocked.includes(lock));
  if (locks.length === 0) return null;
  const [agent, now, bound] = [effectiveSettings(base), effectiveSettings(base, own), effectiveSettings(published)];
  const layer: Record<string, unknown> = {};
  for (const lock of locks) {
    layer[lock] = true;
    for (const name of lockGroups[lock]) {
      const held = settingKeys[name].stricter ? tighten(name, now[name], bound[name]) : agent[name];
      if (!isDeepStrictEqual(now[name], held)) layer[name] = held;
    }
  }
  return layer;
}

/** The keys of a change that are locked. Laid over the layer, they show the values that the change asks for. */
export function lockedKeysOf(layer: SparseSettings, change: SparseSettings): SparseSettings {
  const locks = lockNames.filter((lock) => layer[lock]);
  const names = new Set<string>([...locks, ...locks.flatMap((lock) => lockGroups[lock])]);
  return Object.fromEntries(Object.entries(change).filter(([name]) => names.has(name)));
}
