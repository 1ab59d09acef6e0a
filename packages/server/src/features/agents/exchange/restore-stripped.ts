import { isDeepStrictEqual } from 'node:util';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import { stripSettings } from '../../settings/service.ts';

/** Settings in which a value or an entry that equals a stored one without its credentials is the stored one. */
export function restoreStripped(settings: SparseSettings, stored: SparseSettings): SparseSettings {
  const stripped = stripSettings(stored, []).value;
  const entries = Object.entries(settings).map(([key, value]) => {
    const [own, shown] = [stored[key as 'actions'], stripped[key as 'actions']];
    if (own !== undefined && isDeepStrictEqual(value, shown)) return [key, own];
    if (!Array.isArray(value) || !Array.isArray(own) || !Array.isArray(shown)) return [key, value];
    const restored = value.map((entry) => {
      const at = shown.findIndex((one) => isDeepStrictEqual(one, entry));
      return at === -1 ? entry : own[at];
    });
    return [key, restored];
  });
  return Object.fromEntries(entries) as SparseSettings;
}
