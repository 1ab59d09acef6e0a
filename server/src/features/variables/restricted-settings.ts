import { isDeepStrictEqual } from 'node:util';
import { allows } from '../../lib/permissions.ts';
import type { Scope } from '../../lib/scope.ts';
import { type SecretSetting, secretSettings } from '../../lib/tool.ts';

/** Settings of one layer, or of several together, and those of them whose saver lacked variables_read. */
export interface SavedSettings {
  settings: Partial<Readonly<Record<SecretSetting, unknown>>> | null;
  restricted: readonly SecretSetting[];
}

const has = ({ settings }: SavedSettings, name: SecretSetting) => settings?.[name] !== undefined;

/** What holds where one layer lies over another: a setting is as restricted as the layer it comes from. */
export const restrictedIn = (below: SavedSettings, above: SavedSettings): SecretSetting[] =>
  secretSettings.filter((name) => (has(above, name) ? above : below).restricted.includes(name));

/**
 * The restricted settings after a caller has sent some. A holder of variables_read answers for what it sends; what
 * another caller sends is restricted, unless it only repeats what was there.
 */
export function restrictedAfter(scope: Scope, before: SavedSettings, sent: SavedSettings['settings']): SecretSetting[] {
  const isHolder = allows(scope.permissions, 'variables_read');
  return secretSettings.filter((name) => {
    if (sent?.[name] === undefined) return before.restricted.includes(name);
    if (isHolder) return false;
    return before.restricted.includes(name) || !isDeepStrictEqual(sent[name], before.settings?.[name]);
  });
}
