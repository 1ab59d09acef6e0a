import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import { type LockName, lockGroups, lockNames } from '@atrium/contract/settings/locks.ts';
import { effectiveSettings, type SparseSettings, shownSettings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../lib/scope.ts';
import type { SettingsLayers } from './ports.ts';

/** Which locks a conversation is exempt from after a change: an administrator turns them off, any caller on again. */
export function exemptLocksAfter(unlocked: readonly string[], before: SettingsLayers, sent: SparseSettings): string[] {
  return lockNames.filter((lock) =>
    sent[lock] === undefined
      ? unlocked.includes(lock)
      : sent[lock] === false && (unlocked.includes(lock) || isOn(before, lock)),
  );
}

/** The topmost layer that sets the lock decides. */
const isOn = (layers: SettingsLayers, lock: LockName) =>
  layers.findLast((layer) => layer?.[lock] !== undefined)?.[lock] === true;

/**
 * Refuses a change from one set of layers to another where a lock forbids it, naming every key. Only a caller with
 * org:admin turns a lock off, and may change its group in the same request.
 */
export function checkLocks(scope: Pick<Scope, 'permissions'>, before: SettingsLayers, after: SettingsLayers): void {
  const locks = lockNames.filter((lock) => isOn(before, lock));
  if (locks.length === 0) return;
  // Compared as answers show them: a client that sends back an answer changes nothing.
  const shownOf = (layers: SettingsLayers) => shownSettings(effectiveSettings(...layers));
  const [was, will] = [shownOf(before), shownOf(after)];
  const refusedBy = (lock: LockName): string[] => {
    if (will[lock]) return lockGroups[lock].filter((name) => !isDeepStrictEqual(was[name], will[name]));
    return allows(scope.permissions, 'org:admin') ? [] : [lock];
  };
  const refused = locks.flatMap(refusedBy);
  if (refused.length === 0) return;
  const details = { locks: locks.filter((lock) => refusedBy(lock).length > 0) };
  const message = `These settings are locked: ${refused.join(', ')}`;
  throw new AppError('forbidden', message, { code: 'settings_locked', details });
}
