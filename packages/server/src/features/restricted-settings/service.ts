import { allows } from '@atrium/contract/permissions.ts';
import { entryIsAsStrict } from '@atrium/contract/settings/strictness/stricter-entries.ts';
import type { Scope } from '../../lib/scope.ts';
import { type SecretSetting, secretSettings } from '../tools/ports.ts';

/** Settings of one layer, or of several together, and those of them whose saver lacked variables_read. */
export interface SavedSettings {
  settings: Partial<Readonly<Record<SecretSetting, unknown>>> | null;
  restricted: readonly SecretSetting[];
}

const has = ({ settings }: SavedSettings, name: SecretSetting) => settings?.[name] !== undefined;

/** The restricted settings of two layers together: each setting is as restricted as the layer it comes from. */
export const mergeRestrictedSettings = (below: SavedSettings, above: SavedSettings): SecretSetting[] =>
  secretSettings.filter((name) => (has(above, name) ? above : below).restricted.includes(name));

type Fields = Readonly<Record<string, unknown>>;
const isEntry = (entry: unknown): entry is Fields => typeof entry === 'object' && entry !== null;

/** Whether every entry was there before, as it is or less strict: none leads anywhere else. */
const isNothingNew = (before: unknown, sent: unknown): boolean =>
  Array.isArray(before) &&
  Array.isArray(sent) &&
  sent.every((entry) => isEntry(entry) && before.some((other) => isEntry(other) && entryIsAsStrict(other, entry)));

/** Whether a change can restrict settings: not by a holder of variables_read, nor without such a setting. */
export const canRestrictSettings = (scope: Scope, sent: SavedSettings['settings']): boolean =>
  !allows(scope.permissions, 'variables_read') && secretSettings.some((name) => sent?.[name] !== undefined);

/**
 * The restricted settings after a caller has sent some. Settings sent by a holder of variables_read are
 * not restricted; those of another caller are, unless they repeat or tighten the settings before.
 */
export function restrictedSettingsAfter(
  scope: Scope,
  before: SavedSettings,
  sent: SavedSettings['settings'],
): SecretSetting[] {
  const isHolder = allows(scope.permissions, 'variables_read');
  return secretSettings.filter((name) => {
    if (sent?.[name] === undefined) return before.restricted.includes(name);
    if (isHolder) return false;
    return before.restricted.includes(name) || !isNothingNew(before.settings?.[name], sent[name]);
  });
}
