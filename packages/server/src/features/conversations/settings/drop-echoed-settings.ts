import { isDeepStrictEqual } from 'node:util';
import { keysOf } from '@atrium/contract/keys-of.ts';
import {
  effectiveSettings,
  type SettingName,
  type SparseSettings,
  shownSettings,
} from '@atrium/contract/settings/settings.ts';
import type { layersOf } from './settings-layers.ts';

/**
 * Settings that were sent, without those that only repeat an answer which showed something else than what is stored: what
 * a child conversation inherits, and the empty prompt of a protected preview. To store these would be a change.
 */
export function dropEchoedSettings(
  sent: SparseSettings,
  layers: ReturnType<typeof layersOf>,
  { preview }: { preview: boolean },
): SparseSettings {
  const [base, own, locked, ...above] = layers;
  const hide_prompt = preview && layers.some((layer) => layer?.protect_instructions_in_preview);
  // The answer shows what is stored.
  if (!hide_prompt && above.every((layer) => layer === null)) return sent;
  const stored = shownSettings(effectiveSettings(base, own, locked));
  const answered = shownSettings(effectiveSettings(...layers), { hide_prompt });
  const asked = shownSettings({ ...stored, ...sent });
  const isEchoed = (name: SettingName) =>
    isDeepStrictEqual(asked[name], answered[name]) && !isDeepStrictEqual(answered[name], stored[name]);
  const names = keysOf(sent).filter((name) => !isEchoed(name));
  return Object.fromEntries(names.map((name) => [name, sent[name]])) as SparseSettings;
}
